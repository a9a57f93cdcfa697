// A table: the board, the legal actions, the log, hints and analysis.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { go } from "./app";
import { Board } from "./board";
import { Bars } from "./chances";
import { enter } from "./home";
import type { Link } from "./link";
import { knownGames, remember, type Settings } from "./memory";
import { Analysis, HintPanel } from "./panels";
import { Badge, compilingTime, compilingWords, Dialog, download, Icon, messageOf, Problem, Progress, useLong } from "./parts";
import { SeatsForm } from "./seats";
import type {
  Answer,
  GameForm,
  Hello,
  HintResult,
  Keys,
  Line,
  Look,
  SeatChoice,
  Share,
  TableState,
  ValuesResult,
} from "./types";

const MOST_SHOWN = 40; // more moves than this at once are not shown one by one
const NO_HELLO_LIMITS = { playouts: 1000, seconds: 5, message: 1_000_000 };

interface Props {
  link: Link;
  id: string;
  secret: string;
  hello: Hello | null;
  settings: Settings;
  connections: number;
}

export function TablePage({ link, id, secret, hello, settings, connections }: Props) {
  const [state, setState] = useState<TableState | null>(null);
  const [look, setLook] = useState<Look | null>(null);
  const [wanted, setWanted] = useState<number | null>(null); // the move to show; null for the latest
  const [log, setLog] = useState<Line[]>([]);
  const [problem, setProblem] = useState("");
  const [gone, setGone] = useState("");
  const [joining, setJoining] = useState<Share | null>(null);
  const [judging, setJudging] = useState<Share | null>(null);
  const [marked, setMarked] = useState<number | null>(null);
  const [values, setValues] = useState<ValuesResult | null>(null);
  const [hint, setHint] = useState<{ move: number; result: HintResult } | null>(null);
  const [tab, setTab] = useState<"log" | "hints" | "analysis">("log");
  const [dialog, setDialog] = useState<"" | "branch" | "position" | "share" | "help">("");
  const looks = useRef(new Map<string, Look>());
  const sending = useRef(false);
  const reduced = useMemo(() => matchMedia("(prefers-reduced-motion: reduce)"), []);
  const movement = settings.movement && !reduced.matches;

  // -- updates from the server ------------------------------------------------------------------------------------

  useEffect(() => {
    if (connections === 0) return; // not connected yet
    link.onTable = (news) => news.id === id && setState(news);
    const asked = link.askLong<TableState>("join", { table: id, key: secret }, setJoining);
    let stale = false; // joined anew, or another page
    asked.answer
      .then((joined) => {
        if (stale) return;
        setState(joined);
        setGone("");
        const known = knownGames().find((game) => game.table === id && game.key === secret);
        if (!known)
          remember({
            table: id,
            key: secret,
            watch: "",
            links: [],
            title: `${joined.title}: ${joined.seats.map((seat) => (seat.mine ? "you" : seat.who || "guest")).join(", ")}`,
            when: Date.now(),
          });
      })
      .catch((error) => !stale && setGone(messageOf(error)));
    return () => {
      stale = true;
      link.onTable = () => {};
      asked.stop();
      void link.ask("leave", { table: id }).catch(() => {});
    };
  }, [link, id, secret, connections]);

  const version = state ? `${state.undone} ${state.over}` : "";
  const fetchLook = async (move: number, of: string): Promise<Look> => {
    const name = `${of} ${move}`;
    const kept = looks.current.get(name);
    if (kept) return kept;
    const fresh = await link.ask<Look>("look", { table: id, move });
    if (looks.current.size > 400) looks.current.clear();
    looks.current.set(name, fresh);
    return fresh;
  };

  // -- the shown position -----------------------------------------------------------------------------------------
  // One request at a time: if moves come in quickly, only some of the positions are fetched.

  const target = state ? Math.min(wanted ?? state.moves, state.moves) : null;
  const shown = useRef<{ move: number; version: string } | null>(null);
  const goal = useRef({ move: 0, version: "", slowly: false, pace: 0, mine: [] as boolean[] });
  const following = useRef(false);
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  const follow = async () => {
    if (following.current) return;
    following.current = true;
    try {
      while (here.current) {
        const { move, version: of, slowly, pace: seconds, mine: own } = goal.current;
        const from = shown.current?.version === of ? shown.current.move : null;
        if (from === move) break;
        const steps = from === null ? 0 : move - from;
        const next = slowly && seconds > 0 && steps > 1 && steps <= MOST_SHOWN ? from! + 1 : move;
        const board = await fetchLook(next, of).catch((error: unknown) => {
          if (goal.current.version === of && goal.current.move >= next) throw error;
          return null; // undone in the meantime
        });
        if (!board || goal.current.version !== of) continue;
        shown.current = { move: next, version: of };
        setLook(board);
        if (next < goal.current.move && slowly && !own[board.player])
          await new Promise((done) => setTimeout(done, 1000 * seconds));
      }
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      following.current = false;
    }
  };
  useEffect(() => {
    if (target === null || !state) return;
    const own = state.seats.map((seat) => seat.mine);
    goal.current = { move: target, version, slowly: wanted === null, pace: settings.pace, mine: own };
    void follow();
  }, [target, version, wanted === null, settings.pace]);

  // -- the log ----------------------------------------------------------------------------------------------------

  const logged = useRef({ version: "", lines: [] as Line[] });
  const logGoal = useRef({ version: "", moves: 0 });
  const logging = useRef(false);
  const fetchLog = async () => {
    if (logging.current) return;
    logging.current = true;
    try {
      while (here.current) {
        const { version: of, moves: count } = logGoal.current;
        const known = logged.current.version === of ? logged.current.lines : [];
        if (logged.current.version === of && known.length >= count) break;
        const lines = await link.ask<Line[]>("log", { table: id, start: known.length });
        if (logGoal.current.version !== of) continue;
        logged.current = { version: of, lines: [...known, ...lines] };
        setLog(logged.current.lines);
      }
    } catch {
      // retried after the next change
    } finally {
      logging.current = false;
    }
  };
  useEffect(() => {
    if (!state) return;
    logGoal.current = { version, moves: state.moves };
    void fetchLog();
  }, [state?.moves, version]);

  // -- chances ----------------------------------------------------------------------------------------------------

  const at = look?.move ?? null;
  const valuesKept = useRef(new Map<string, ValuesResult>());
  useEffect(() => {
    if (at === null || !settings.values) return;
    const name = `${version} ${at}`;
    const kept = valuesKept.current.get(name);
    if (kept) {
      setValues(kept);
      return;
    }
    let stale = false;
    let stop = () => {};
    const timer = setTimeout(() => {
      const asked = link.askLong<ValuesResult>("values", { table: id, move: at }, setJudging);
      stop = asked.stop;
      asked.answer
        .then((result) => {
          valuesKept.current.set(name, result);
          if (!stale) setValues(result);
        })
        .catch(() => {})
        .finally(() => !stale && setJudging(null));
    }, 120);
    return () => {
      stale = true;
      clearTimeout(timer);
      stop();
    };
  }, [at, version, settings.values]);

  // -- actions of the person --------------------------------------------------------------------------------------

  const live = state !== null && look !== null && look.move === state.moves;
  const mine = live && state.myTurn && look.mine;
  const act = useCallback(
    async (action: number) => {
      if (!state || sending.current) return;
      sending.current = true;
      setProblem("");
      setMarked(null);
      try {
        setState(await link.ask<TableState>("act", { table: id, move: state.moves, action }));
        setWanted(null);
      } catch (error) {
        setProblem(messageOf(error));
      } finally {
        sending.current = false;
      }
    },
    [link, id, state?.moves],
  );
  const undo = async () => {
    setProblem("");
    try {
      setState(await link.ask<TableState>("undo", { table: id }));
      setWanted(null);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const save = async () => {
    try {
      const { line } = await link.ask<{ line: string }>("save", { table: id });
      download(`${state?.game.replace(/_/g, "-")}-${id.slice(0, 6)}.jsonl`, `${line}\n`);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const pace = async (seconds: number | null) => {
    try {
      setState(await link.ask<TableState>("pace", { table: id, seconds }));
      setWanted(null);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };

  const parts = useMemo(() => {
    const found: { move: number; part: string }[] = [];
    for (const line of log) {
      if (line.part !== found[found.length - 1]?.part) found.push({ move: line.move - 1, part: line.part });
    }
    return found;
  }, [log]);
  const moves = state?.moves ?? 0;
  const show = (move: number) => setWanted(move >= moves ? null : Math.max(0, move));
  const jump = (direction: number) => {
    if (at === null) return;
    const starts = parts.map((part) => part.move);
    const next =
      direction > 0 ? starts.find((start) => start > at) ?? moves : [...starts].reverse().find((start) => start < at) ?? 0;
    show(next);
  };

  // -- keyboard ---------------------------------------------------------------------------------------------------

  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || dialog) return;
      if (target.closest("input:not([type=range]), select, textarea, dialog")) return;
      const key = event.key;
      if (/^[0-9]$/.test(key) && mine && look) {
        const answer = look.legal[key === "0" ? 9 : Number(key) - 1];
        if (answer) void act(answer.number);
      } else if (key === "ArrowLeft") show((at ?? 0) - 1);
      else if (key === "ArrowRight") show((at ?? 0) + 1);
      else if (key === "PageUp") jump(-1);
      else if (key === "PageDown") jump(1);
      else if (key === "Home") show(0);
      else if (key === "End") setWanted(null);
      else if (key === "u" && state?.mayUndo) void undo();
      else if (key === "h") setTab("hints");
      else if (key === "l") setTab("log");
      else if (key === "a") setTab("analysis");
      else if (key === "p" && state && isWatch(state)) void pace(state.pace === null ? settings.pace || 0.5 : null);
      else if (key === "?") setDialog("help");
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });

  useEffect(() => {
    document.title = state ? `${state.myTurn ? "● " : ""}${state.title} · pr-env` : "pr-env";
  }, [state?.myTurn, state?.title]);

  if (gone)
    return (
      <section class="card">
        <h1>Cannot show this game</h1>
        <p>{gone}</p>
        <p>
          <a href="#/">Back to the start page</a>
        </p>
      </section>
    );
  if (!state || !look)
    return (
      <section class="card" aria-busy="true">
        {joining?.compiling ? (
          <Progress share={joining} what="Loading the board" />
        ) : (
          <p class="faint">Loading the board …</p>
        )}
        <Problem text={problem} />
      </section>
    );

  const form = hello?.games.find((game) => game.name === state.game) ?? null;
  const since = sinceMyMove(log, state);
  const playedLine = log[look.move - 1];
  const known = knownGames().find((game) => game.table === id && game.key === secret);
  const later = state.mayAnalyse ? undefined : "After the end of the game: until then it would show what is hidden, or what others play";
  const unsaved = later ?? (state.maySave ? undefined : "A game from a set-up position has no seed, and a replay file starts with one");
  const shares = hint && hint.move === look.move ? hint.result : null;
  return (
    <div class="table">
      <div class="play">
        <Status state={state} look={look} live={live} mine={mine} />
        <Problem text={problem || state.problem} />
        <Board
          look={look}
          mine={mine}
          choose={(action) => void act(action)}
          movement={movement}
          played={playedLine ? { move: playedLine.move, action: playedLine.action, seat: playedLine.player } : null}
          marked={marked}
        >
        <Scrub
          state={state}
          at={look.move}
          live={live}
          parts={parts}
          show={show}
          jump={jump}
          latest={() => setWanted(null)}
          pace={pace}
          usualPace={settings.pace}
        />
        </Board>
      </div>
      <div class="side">
        {settings.values && (
          <section class="card chances" aria-label="Chances">
            <Bars values={values?.move === look.move || live ? (values?.values ?? null) : null} state={state} by={values?.by ?? ""} />
            {judging?.compiling && <Progress share={judging} what="Judging the position" />}
          </section>
        )}
        {look.over ? (
          <Result state={state} look={look} analyse={() => setTab("analysis")} />
        ) : (
          <Answers look={look} mine={mine} state={state} act={act} mark={setMarked} hint={shares} live={live} />
        )}
        {mine && since.length > 0 && (
          <section class="card since" aria-label="Since your last move">
            <h2>Since your last move</h2>
            <ul>
              {since.slice(-8).map((line) => (
                <LogLine key={line.move} line={line} show={show} />
              ))}
            </ul>
          </section>
        )}
        <div class="tools" role="group" aria-label="Game">
          <button type="button" disabled={!state.mayUndo} onClick={() => void undo()}>
            Undo <kbd>u</kbd>
          </button>
          <button type="button" disabled={!state.maySave} title={unsaved} onClick={() => void save()}>
            Save
          </button>
          <button type="button" disabled={!state.mayAnalyse} title={later} onClick={() => setDialog("branch")}>
            Play from here
          </button>
          <button type="button" disabled={!state.mayAnalyse} title={later} onClick={() => setDialog("position")}>
            Edit position
          </button>
          {known && (known.links.length > 0 || known.watch) && (
            <button type="button" onClick={() => setDialog("share")}>
              Links
            </button>
          )}
          <button type="button" onClick={() => setDialog("help")} aria-label="Keyboard and help">
            ?
          </button>
        </div>
        <section class="card tabs">
          <div role="tablist" aria-label="More">
            {(["log", "hints", "analysis"] as const).map((one) => (
              <button
                key={one}
                type="button"
                role="tab"
                id={`tab-${one}`}
                aria-selected={tab === one}
                aria-controls="panel"
                onClick={() => setTab(one)}
              >
                {{ log: "Log", hints: "Hints", analysis: "Analysis" }[one]}
              </button>
            ))}
          </div>
          <div role="tabpanel" id="panel" aria-labelledby={`tab-${tab}`}>
            {tab === "log" && <Log log={log} at={look.move} show={show} />}
            {tab === "hints" && (
              <HintPanel
                link={link}
                state={state}
                look={look}
                form={form}
                limits={hello?.limits ?? NO_HELLO_LIMITS}
                result={shares}
                found={(result) => setHint({ move: look.move, result })}
                mark={setMarked}
              />
            )}
            {tab === "analysis" && (
              <Analysis
                link={link}
                state={state}
                form={form}
                limits={hello?.limits ?? NO_HELLO_LIMITS}
                shown={look.move}
                show={show}
              />
            )}
          </div>
        </section>
      </div>
      {dialog === "branch" && form && hello && (
        <BranchDialog link={link} state={state} form={form} hello={hello} move={look.move} close={() => setDialog("")} />
      )}
      {dialog === "position" && form && hello && (
        <PositionDialog link={link} state={state} form={form} hello={hello} move={look.move} close={() => setDialog("")} />
      )}
      {dialog === "share" && known && (
        <Dialog title="Links to this game" close={() => setDialog("")}>
          <p>Anyone with a link can use it. Send each one to a single person.</p>
          {known.links.map((one) => (
            <SharedLink key={one.key} label={`Play as ${state.seats[one.seat].label}`} table={id} secret={one.key} />
          ))}
          {known.watch && <SharedLink label="Watch" table={id} secret={known.watch} />}
        </Dialog>
      )}
      {dialog === "help" && <Help close={() => setDialog("")} explanation={look.explanation} />}
    </div>
  );
}

function isWatch(state: TableState): boolean {
  return state.owner && !state.finished && !state.over && state.seats.every((seat) => !seat.person);
}

function sinceMyMove(log: Line[], state: TableState): Line[] {
  if (!state.seats.some((seat) => seat.mine)) return [];
  let last = log.length;
  while (last > 0 && !state.seats[log[last - 1].player]?.mine) last--;
  return log.slice(last);
}

function Status({ state, look, live, mine }: { state: TableState; look: Look; live: boolean; mine: boolean }) {
  const seat = state.seats[look.player];
  const who = look.over ? "" : seat.mine ? (state.seats.filter((one) => one.mine).length > 1 ? seat.label : "You") : seat.label;
  const compiling = live && !mine && !look.over ? state.compiling : null;
  const doing = look.over
    ? look.question
    : mine || !live || state.finished
      ? `${who}: ${look.question}`
      : compiling
        ? compilingWords(compiling)
        : state.thinking
        ? `${who}${seat.who ? ` (${seat.who})` : ""} is choosing …`
        : `${who}${seat.who ? ` (${seat.who})` : ""}: ${look.question}`;
  return (
    <div class={`status${mine ? " yours" : ""}`} role="status" aria-live="polite">
      {!look.over && <Badge seat={look.player} />}
      <div>
        <strong>{doing}</strong>
        <small>
          {look.part || state.title}
          {live ? "" : ` · showing move ${look.move} of ${state.moves}`}
        </small>
        {compiling && (
          <small class="compiling">
            <progress value={Math.min(0.98, compiling.seconds / compiling.about)} max={1} aria-label={compilingWords(compiling)} />
            <span aria-hidden="true">{compilingTime(compiling)}</span>
          </small>
        )}
      </div>
    </div>
  );
}

function Answers({
  look,
  mine,
  state,
  act,
  mark,
  hint,
  live,
}: {
  look: Look;
  mine: boolean;
  state: TableState;
  act: (action: number) => void;
  mark: (action: number | null) => void;
  hint: HintResult | null;
  live: boolean;
}) {
  if (look.legal.length === 0)
    return (
      <section class="card answers" aria-label="Choices">
        <p class="faint">{live && !state.myTurn ? "Please wait for your turn." : "The choices of this player are hidden."}</p>
      </section>
    );
  const share = (answer: Answer) => hint?.actions.find((one) => one.number === answer.number)?.share;
  return (
    <section class="card answers" aria-label="Choices">
      <h2>{mine ? "Your choices" : "Legal actions"}</h2>
      <ol>
        {look.legal.map((answer, place) => (
          <li key={answer.number}>
            <button
              type="button"
              disabled={!mine}
              data-number={answer.number}
              onClick={() => act(answer.number)}
              onPointerEnter={() => mark(answer.number)}
              onPointerLeave={() => mark(null)}
              onFocus={() => mark(answer.number)}
              onBlur={() => mark(null)}
            >
              {place < 10 && mine && <kbd aria-hidden="true">{(place + 1) % 10}</kbd>}
              <span class="words">
                {answer.sentence}
                {answer.remark && <small>{answer.remark}</small>}
              </span>
              {share(answer) !== undefined && (
                <span class="hinted" aria-label={`${Math.round(100 * share(answer)!)} percent in the hint`}>
                  <i style={{ width: `${Math.round(100 * share(answer)!)}%` }} />
                  {Math.round(100 * share(answer)!)} %
                </span>
              )}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Result({ state, look, analyse }: { state: TableState; look: Look; analyse: () => void }) {
  return (
    <section class="card result" aria-label="Result">
      <h2>{look.question}</h2>
      <ol>
        {look.standings.map(([seat, standing]) => (
          <li key={seat}>
            <Badge seat={seat} />
            <span>
              <b>
                {state.seats[seat].label}
                {state.seats[seat].mine ? " (you)" : state.seats[seat].who ? ` (${state.seats[seat].who})` : ""}
              </b>{" "}
              {standing}
            </span>
          </li>
        ))}
      </ol>
      <button type="button" class="main" onClick={analyse}>
        Find turning points
      </button>
    </section>
  );
}

function Scrub({
  state,
  at,
  live,
  parts,
  show,
  jump,
  latest,
  pace,
  usualPace,
}: {
  state: TableState;
  at: number;
  live: boolean;
  parts: { move: number; part: string }[];
  show: (move: number) => void;
  jump: (direction: number) => void;
  latest: () => void;
  pace: (seconds: number | null) => void;
  usualPace: number;
}) {
  const now = [...parts].reverse().find((part) => part.move <= at);
  return (
    <div class="scrub" role="group" aria-label="Moves">
      {isWatch(state) && (
        <>
          <button type="button" class="main" onClick={() => pace(state.pace === null ? usualPace || 0.5 : null)}>
            <Icon name={state.pace === null ? "play" : "pause"} /> {state.pace === null ? "Play" : "Pause"}
          </button>
          <select
            aria-label="Speed"
            value={String(state.pace ?? usualPace)}
            onChange={(event) => pace(Number(event.currentTarget.value))}
          >
            {[0, 0.1, 0.25, 0.5, 1, 2, 5].map((seconds) => (
              <option key={seconds} value={String(seconds)}>
                {seconds === 0 ? "as fast as possible" : `${seconds} s per move`}
              </option>
            ))}
          </select>
        </>
      )}
      <button type="button" aria-label="First move" onClick={() => show(0)} disabled={at === 0}>
        <Icon name="first" />
      </button>
      <button type="button" aria-label={`Previous ${state.unit}`} onClick={() => jump(-1)} disabled={at === 0}>
        <Icon name="back" />
      </button>
      <button type="button" aria-label="Previous move" onClick={() => show(at - 1)} disabled={at === 0}>
        <Icon name="previous" />
      </button>
      <input
        type="range"
        min={0}
        max={state.moves}
        value={at}
        aria-label="Move"
        aria-valuetext={`Move ${at} of ${state.moves}`}
        onInput={(event) => show(Number(event.currentTarget.value))}
      />
      <button type="button" aria-label="Next move" onClick={() => show(at + 1)} disabled={at >= state.moves}>
        <Icon name="next" />
      </button>
      <button type="button" aria-label={`Next ${state.unit}`} onClick={() => jump(1)} disabled={at >= state.moves}>
        <Icon name="forth" />
      </button>
      <button type="button" aria-label="Latest move" onClick={latest} disabled={live}>
        <Icon name="last" />
      </button>
      {parts.length > 1 && (
        <select
          aria-label={`Go to a ${state.unit}`}
          value={String(now?.move ?? 0)}
          onChange={(event) => show(Number(event.currentTarget.value))}
        >
          {parts.map((part) => (
            <option key={part.move} value={String(part.move)}>
              {part.part || "Start"}
            </option>
          ))}
        </select>
      )}
      <output>
        {at} / {state.moves}
      </output>
    </div>
  );
}

function LogLine({ line, show, now }: { line: Line; show: (move: number) => void; now?: boolean }) {
  return (
    <li class={`${line.opens ? "opens" : "follows"}${now ? " now" : ""}`}>
      <button type="button" aria-current={now ? "step" : undefined} onClick={() => show(line.move)}>
        <Badge seat={line.player} />
        <span>
          <span class="sr">{line.who}: </span>
          {line.words}
          {line.effects.length > 0 && <small>{line.effects.join("; ")}</small>}
        </span>
      </button>
    </li>
  );
}

function Log({ log, at, show }: { log: Line[]; at: number; show: (move: number) => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const line = box.current?.querySelector<HTMLElement>(".now");
    if (line && box.current) box.current.scrollTop = line.offsetTop - box.current.clientHeight / 2;
  }, [at, log.length]);
  if (log.length === 0) return <p class="faint">No moves yet.</p>;
  const groups: { part: string; lines: Line[] }[] = [];
  for (const line of log) {
    const last = groups[groups.length - 1];
    if (last && last.part === line.part) last.lines.push(line);
    else groups.push({ part: line.part, lines: [line] });
  }
  return (
    <div class="log" ref={box} tabIndex={0} role="group" aria-label="All moves">
      {groups.map((group) => (
        <section key={group.lines[0].move}>
          {group.part && <h3>{group.part}</h3>}
          <ol>
            {group.lines.map((line) => (
              <LogLine key={line.move} line={line} show={show} now={line.move === at} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

// -- dialogs ----------------------------------------------------------------------------------------------------

interface DialogProps {
  link: Link;
  state: TableState;
  form: GameForm;
  hello: Hello;
  move: number;
  close: () => void;
}

function usualSeats(state: TableState, form: GameForm): SeatChoice[] {
  const names = new Set(form.agents.map((agent) => agent.name));
  return state.seats.map((seat, place): SeatChoice => {
    if (seat.mine || (place === 0 && !state.seats.some((one) => one.mine))) return { kind: "here" };
    const name = seat.who.split(":")[0];
    return { kind: "agent", agent: { name: names.has(name) ? name : form.opponent } };
  });
}

function BranchDialog({ link, state, form, hello, move, close }: DialogProps) {
  const [seats, setSeats] = useState(() => usualSeats(state, form));
  const [problem, setProblem] = useState("");
  const { share, stop, wait } = useLong();
  return (
    <Dialog title={`Play from move ${move}`} close={close}>
      <p>This starts a new game at that move. The original game is not changed.</p>
      <SeatsForm seats={seats} change={setSeats} agents={form.agents} missing={{}} limits={hello.limits} opponent={form.opponent} />
      <Problem text={problem} />
      {share?.compiling && <Progress share={share} stop={stop} what="Setting up" />}
      <button
        type="button"
        class="main"
        onClick={async () => {
          try {
            const keys = await wait((told) => link.askLong<Keys>("branch", { table: state.id, move, seats }, told));
            close();
            await enter(keys, `${form.title}, from move ${move} of another game`);
          } catch (error) {
            setProblem(messageOf(error));
          }
        }}
      >
        Start
      </button>
    </Dialog>
  );
}

function PositionDialog({ link, state, form, hello, move, close }: DialogProps) {
  const [text, setText] = useState("");
  const [seats, setSeats] = useState(() => usualSeats(state, form));
  const [problem, setProblem] = useState("");
  const { share, stop, wait } = useLong();
  useEffect(() => {
    link
      .ask<{ position: object }>("position", { table: state.id, move })
      .then(({ position }) => setText(JSON.stringify(position, null, 2)))
      .catch((error) => setProblem(messageOf(error)));
  }, []);
  const begin = async () => {
    let position: unknown;
    try {
      position = JSON.parse(text);
    } catch (error) {
      setProblem(`Invalid JSON: ${messageOf(error)}`);
      return;
    }
    try {
      const keys = await wait((told) => link.askLong<Keys>("new", { game: state.game, options: state.options, seats, position }, told));
      close();
      await enter(keys, `${form.title}, a position`);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Dialog title="Set up a position" close={close}>
      <p>
        The position at move {move}. Edit or replace it. Fields that you leave out are as at the start of the game. The server
        rejects impossible positions and gives the reason.
      </p>
      <textarea
        aria-label="Position"
        spellcheck={false}
        rows={16}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <SeatsForm seats={seats} change={setSeats} agents={form.agents} missing={{}} limits={hello.limits} opponent={form.opponent} />
      <Problem text={problem} />
      {share?.compiling && <Progress share={share} stop={stop} what="Setting up" />}
      <div class="row">
        <button type="button" class="main" onClick={() => void begin()}>
          Start
        </button>
        <button type="button" onClick={() => download("position.json", text)}>
          Save to a file
        </button>
      </div>
    </Dialog>
  );
}

function SharedLink({ label, table, secret }: { label: string; table: string; secret: string }) {
  const [copied, setCopied] = useState(false);
  const address = `${location.origin}${location.pathname}${location.search}#/t/${table}/${secret}`;
  return (
    <p class="shared">
      <label>
        {label}
        <input readOnly value={address} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button
        type="button"
        onClick={() => {
          void navigator.clipboard?.writeText(address).then(() => setCopied(true));
        }}
      >
        {copied ? "Copied" : "Copy"}
      </button>
    </p>
  );
}

function Help({ close, explanation }: { close: () => void; explanation: string }) {
  const keys: [string, string][] = [
    ["1 … 9, 0", "choose an action"],
    ["Tab, Enter", "move through the legal actions on the board and in the list, and choose one"],
    ["← →", "previous or next move"],
    ["Page up, Page down", "previous or next round or turn"],
    ["Home, End", "first or latest position"],
    ["u", "undo"],
    ["l, h, a", "log, hints, analysis"],
    ["p", "play or pause a game between agents"],
    ["?", "this help"],
  ];
  return (
    <Dialog title="Help" close={close}>
      {explanation && (
        <>
          <h3>Current decision</h3>
          <p>{explanation}</p>
        </>
      )}
      <h3>Keyboard</h3>
      <dl class="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p>
        Legal actions have a dashed ring on the board. An item with several actions opens a list.{" "}
        <a href="#/" onClick={() => (close(), go("/"))}>
          Start page
        </a>
      </p>
    </Dialog>
  );
}
