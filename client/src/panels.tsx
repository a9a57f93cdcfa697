// What agents think: hints for a decision, and the analysis of a whole game.
import { useEffect, useState } from "preact/hooks";
import { Curve } from "./chances";
import type { Link } from "./link";
import { Badge, messageOf, percent, Problem, Progress, useLong, widthOf } from "./parts";
import { AgentPicker } from "./seats";
import type { AgentChoice, CurveResult, GameForm, Hello, HintResult, Look, TableState } from "./types";

interface Common {
  link: Link;
  state: TableState;
  form: GameForm | null;
  limits: Hello["limits"];
}

function useAdvisor(link: Link, state: TableState, form: GameForm | null) {
  const [missing, setMissing] = useState<Record<string, string> | null>(null);
  const [agent, setAgent] = useState<AgentChoice | null>(null);
  useEffect(() => {
    if (!form) return;
    link
      .ask<{ missing?: Record<string, string> }>("agents", { game: state.game, options: state.options })
      .then((answer) => {
        const without = answer.missing ?? {};
        setMissing(without);
        const best = ["ppo", "mcts"].find((name) => form.agents.some((one) => one.name === name) && !(name in without));
        setAgent((old) => old ?? { name: best ?? form.opponent });
      })
      .catch(() => setMissing({}));
  }, [form?.name, state.id]);
  return { missing: missing ?? {}, agent, setAgent };
}

export function HintPanel({
  link,
  state,
  look,
  form,
  limits,
  result,
  found,
  mark,
}: Common & {
  look: Look;
  result: HintResult | null;
  found: (result: HintResult) => void;
  mark: (action: number | null) => void;
}) {
  const { missing, agent, setAgent } = useAdvisor(link, state, form);
  const { share, stop, wait } = useLong();
  const [problem, setProblem] = useState("");
  useEffect(() => stop, [look.move]);
  const allowed = !look.over && (state.mayAnalyse || (state.mayAsk && look.move === state.moves));
  const ask = async () => {
    if (!agent) return;
    setProblem("");
    try {
      found(await wait((told) => link.askLong<HintResult>("hint", { table: state.id, move: look.move, agent }, told)));
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  if (!form) return null;
  const words = new Map(look.legal.map((answer) => [answer.number, answer.sentence]));
  return (
    <div class="hints">
      {!allowed && (
        <p class="faint">{look.over ? "The game is over." : "Only the player to move can get hints, and only if this game allows them."}</p>
      )}
      {allowed && agent && (
        <p class="row">
          <AgentPicker agents={form.agents} missing={missing} value={agent} change={setAgent} limits={limits} label="Adviser" />
          <button type="button" class="main" disabled={share !== null} onClick={() => void ask()}>
            Ask
          </button>
        </p>
      )}
      {share !== null && <Progress share={share} what={`${agent?.name} is thinking`} stop={stop} />}
      <Problem text={problem} />
      {result && (
        <>
          <table>
            <caption>
              <Badge seat={result.player} /> {result.by} would choose
            </caption>
            <thead>
              <tr>
                <th scope="col">action</th>
                <th scope="col">share</th>
                {result.actions.some((one) => one.win !== null) && <th scope="col">win rate</th>}
              </tr>
            </thead>
            <tbody>
              {result.actions.slice(0, 12).map((one) => (
                <tr key={one.number} onPointerEnter={() => mark(one.number)} onPointerLeave={() => mark(null)}>
                  <td>{words.get(one.number) ?? `action ${one.number}`}</td>
                  <td class="share">
                    <i style={{ width: widthOf(one.share) }} />
                    {percent(one.share)}
                  </td>
                  {result.actions.some((other) => other.win !== null) && (
                    <td>{one.win === null ? "" : percent(one.win)}</td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
          <p class="faint">
            Chances of winning:{" "}
            {state.together
              ? percent(result.values[0])
              : state.seats.map((seat, place) => `${seat.label} ${percent(result.values[place])}`).join(", ")}
            .
          </p>
        </>
      )}
    </div>
  );
}

export function Analysis({ link, state, form, limits, shown, show }: Common & { shown: number; show: (move: number) => void }) {
  const { missing, agent, setAgent } = useAdvisor(link, state, form);
  const { share, stop, wait } = useLong();
  const [problem, setProblem] = useState("");
  const [curve, setCurve] = useState<CurveResult | null>(null);
  const ask = async () => {
    setProblem("");
    try {
      setCurve(await wait((told) => link.askLong<CurveResult>("curve", { table: state.id, agent }, told)));
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  if (!form) return null;
  if (!state.mayAnalyse) return <p class="faint">Available after the end of the game.</p>;
  const agreed = curve ? curve.turns.filter((turn) => turn.same).length : 0;
  return (
    <div class="analysis">
      {agent && (
        <p class="row">
          <AgentPicker agents={form.agents} missing={missing} value={agent} change={setAgent} limits={limits} label="Analyst" />
          <button type="button" class="main" disabled={share !== null || state.moves === 0} onClick={() => void ask()}>
            Analyse the game
          </button>
        </p>
      )}
      {share !== null && <Progress share={share} what="Evaluating every move" stop={stop} />}
      <Problem text={problem} />
      {curve && (
        <>
          <Curve curve={curve} state={state} shown={shown} show={show} />
          <p class="faint">Chances of winning, estimated by {curve.by}. Click the curve to go to a move.</p>
          <h3>Turning points</h3>
          {curve.turns.length === 0 && <p class="faint">No single move changed the chances much.</p>}
          <ol class="turns">
            {curve.turns.map((turn) => (
              <li key={turn.move}>
                <button type="button" onClick={() => show(turn.move)}>
                  <Badge seat={turn.player} />
                  <span>
                    <b>Move {turn.move + 1}:</b> {turn.played}
                    <small>
                      {turn.same ? `${curve.advisor} would have chosen the same` : `${curve.advisor} would have chosen: ${turn.better}`}
                      {" · "}
                      {state.together
                        ? signed(turn.change[0])
                        : turn.change.map((change, seat) => `${seat}: ${signed(change)}`).join(", ")}
                    </small>
                  </span>
                </button>
              </li>
            ))}
          </ol>
          {curve.turns.length > 0 && (
            <p class="faint">
              {curve.advisor} agrees with the move at {agreed} of {curve.turns.length} turning points: the change there was due to
              luck, or to what other players did next.
            </p>
          )}
        </>
      )}
    </div>
  );
}

function signed(change: number): string {
  const points = Math.round(100 * change);
  return `${points > 0 ? "+" : points < 0 ? "−" : "±"}${Math.abs(points)} %`;
}
