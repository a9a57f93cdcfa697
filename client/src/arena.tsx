// Finished tournaments: matches, win rates with intervals, and individual games.
import { useEffect, useState } from "preact/hooks";
import { enter } from "./home";
import type { Link } from "./link";
import { messageOf, percent, plain, Problem, Progress, useLong } from "./parts";
import type { ArenaGame, ArenaSummary, Hello, Keys } from "./types";

const AT_ONCE = 100;

export function Arena({ link, hello }: { link: Link; hello: Hello | null }) {
  const [arenas, setArenas] = useState<ArenaSummary[] | null>(null);
  const [problem, setProblem] = useState("");
  const [texts, setTexts] = useState({ results: "", replays: "" });
  useEffect(() => {
    document.title = "Arena · pr-env";
    link
      .ask<ArenaSummary[]>("arenas")
      .then(setArenas)
      .catch((error) => setProblem(messageOf(error)));
  }, [link, hello]);
  const read = (which: "results" | "replays") => async (event: Event) => {
    const file = (event.currentTarget as HTMLInputElement).files?.[0];
    const text = (await file?.text()) ?? "";
    setTexts((old) => ({ ...old, [which]: text }));
  };
  const open = async () => {
    setProblem("");
    try {
      const added = await link.ask<ArenaSummary>("open arena", texts);
      setArenas((old) => [...(old ?? []), added]);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <div class="arenas">
      <section class="card">
        <h1>Arena</h1>
        <p class="faint">
          Tournaments written by <code>pr-env arena … --out results.json --replays games.jsonl</code>.
        </p>
        <div class="row">
          <label>
            Results <input type="file" accept=".json" onChange={read("results")} />
          </label>
          <label>
            Replays <input type="file" accept=".jsonl" onChange={read("replays")} />
          </label>
          <button type="button" class="main" disabled={!texts.results} onClick={() => void open()}>
            Open
          </button>
        </div>
        <p class="faint">
          To view files above {Math.floor((hello?.limits.message ?? 1e6) / 1e6)} MB, pass them when you start the server:{" "}
          <code>pr-env web --arena results.json --replays games.jsonl</code>
        </p>
        <Problem text={problem} />
      </section>
      {(arenas ?? []).map((arena) => (
        <Tournament key={arena.number} link={link} arena={arena} />
      ))}
    </div>
  );
}

function Tournament({ link, arena }: { link: Link; arena: ArenaSummary }) {
  const [match, setMatch] = useState<number | null>(arena.matches.length === 1 ? 0 : null);
  const options = Object.entries(arena.options)
    .map(([name, value]) => `${plain(name)} ${String(value)}`)
    .join(", ");
  return (
    <section class="card" aria-label={arena.name}>
      <h2>{arena.name}</h2>
      <p class="faint">
        {plain(arena.game)}: {options}; mode {arena.mode}
      </p>
      <div class="wide">
        <table class="results">
          <thead>
            <tr>
              <th scope="col">agent</th>
              <th scope="col">against or with</th>
              <th scope="col">win rate, with 95 % interval</th>
              <th scope="col">points</th>
              <th scope="col">games</th>
              <th scope="col">{arena.unit}</th>
              <th scope="col" />
            </tr>
          </thead>
          {arena.matches.map((one, place) => (
            <tbody key={place}>
              {one.rows.map((row, line) => (
                <tr key={row.agent}>
                  <th scope="row">{row.agent}</th>
                  <td>
                    {one.agents.filter((name) => name !== row.agent).join(", ") || "itself"}
                    {row.copies > 1 ? ` (${row.copies} seats)` : ""}
                  </td>
                  <td>
                    <Interval mean={row.win} low={row.low} high={row.high} />
                  </td>
                  <td>{row.points.toFixed(1)}</td>
                  <td>
                    {one.games}
                    {row.faults > 0 && <b title="abandoned games"> {row.faults} abandoned</b>}
                  </td>
                  <td>{one.length.toFixed(1)}</td>
                  <td>
                    {line === 0 && (
                      <button type="button" aria-expanded={match === place} onClick={() => setMatch(match === place ? null : place)}>
                        Games
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
      {match !== null && <Games key={match} link={link} arena={arena} match={match} />}
    </section>
  );
}

function Interval({ mean, low, high }: { mean: number; low: number; high: number }) {
  return (
    <span class="interval">
      <svg viewBox="0 0 100 12" width="100" height="12" aria-hidden="true">
        <line x1="0" x2="100" y1="6" y2="6" class="grid" />
        <line x1={100 * low} x2={100 * high} y1="6" y2="6" class="range" />
        <circle cx={100 * mean} cy="6" r="4" />
      </svg>
      {percent(mean)}{" "}
      <small>
        ({percent(low)} to {percent(high)})
      </small>
    </span>
  );
}

function Games({ link, arena, match }: { link: Link; arena: ArenaSummary; match: number }) {
  const [start, setStart] = useState(0);
  const [games, setGames] = useState<ArenaGame[]>([]);
  const [problem, setProblem] = useState("");
  const { share, stop, wait } = useLong();
  useEffect(() => {
    link
      .ask<ArenaGame[]>("arena games", { arena: arena.number, match, start })
      .then(setGames)
      .catch((error) => setProblem(messageOf(error)));
  }, [link, arena.number, match, start]);
  const open = async (game: number) => {
    try {
      const keys = await wait((told) => link.askLong<Keys>("arena game", { arena: arena.number, match, game }, told));
      await enter(keys, `${arena.name}, game ${game + 1}`);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const total = arena.matches[match].games;
  return (
    <>
      <Problem text={problem} />
      {share?.compiling && <Progress share={share} stop={stop} what="Reading the game" />}
      <div class="wide">
        <table class="games">
          <caption>
            Games {start + 1} to {Math.min(start + AT_ONCE, total)} of {total}
          </caption>
          <thead>
            <tr>
              <th scope="col">game</th>
              <th scope="col">seed</th>
              {games[0]?.seats.map((_, seat) => (
                <th key={seat} scope="col">
                  seat {seat}
                </th>
              ))}
              <th scope="col">{arena.unit}</th>
            </tr>
          </thead>
          <tbody>
            {games.map((game) => (
              <tr key={game.game}>
                <th scope="row">
                  <button type="button" disabled={!arena.replays} onClick={() => void open(game.game)}>
                    {game.game + 1}
                  </button>
                </th>
                <td>{game.seed}</td>
                {game.seats.map((agent, seat) => (
                  <td key={seat} class={game.wins[seat] > 0 ? "won" : ""}>
                    {game.wins[seat] > 0 ? "★ " : ""}
                    {agent} {game.points[seat]}
                  </td>
                ))}
                <td title={game.fault}>
                  {game.length}
                  {game.fault ? " (abandoned)" : ""}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="row">
        <button type="button" disabled={start === 0} onClick={() => setStart(start - AT_ONCE)}>
          Previous
        </button>
        <button type="button" disabled={start + AT_ONCE >= total} onClick={() => setStart(start + AT_ONCE)}>
          Next
        </button>
      </div>
    </>
  );
}
