// The start page: new games, games known to this browser, and replay files.
import { useEffect, useState } from "preact/hooks";
import { go } from "./app";
import type { Link } from "./link";
import { forget, knownGames, remember } from "./memory";
import { messageOf, plain, Problem, Progress, useLong } from "./parts";
import { SeatsForm } from "./seats";
import type { Configuration, GameForm, Hello, Keys, OptionField, Options, OptionValue, SeatChoice } from "./types";

export async function enter(keys: Keys, title: string): Promise<void> {
  remember({ ...keys, title, when: Date.now() });
  go(`/t/${keys.table}/${keys.key}`);
}

export function Home({ link, hello }: { link: Link; hello: Hello | null }) {
  const [chosen, choose] = useState("");
  const [games, setGames] = useState(knownGames);
  useEffect(() => {
    document.title = "pr-env";
  }, []);
  const name = chosen || hello?.default || "";
  const form = hello?.games.find((game) => game.name === name);
  return (
    <div class="columns">
      <section class="card" aria-labelledby="new">
        <h1 id="new">New game</h1>
        <div class="pick" role="group" aria-label="Game">
          {(hello?.games ?? []).map((game) => (
            <button
              key={game.name}
              type="button"
              class={game.name === name ? "chosen" : ""}
              aria-pressed={game.name === name}
              onClick={() => choose(game.name)}
            >
              {game.title}
            </button>
          ))}
        </div>
        {form && hello ? <NewGame key={form.name} link={link} form={form} hello={hello} /> : <p class="faint">Loading …</p>}
      </section>
      <div>
        <section class="card" aria-labelledby="mine">
          <h2 id="mine">Your games</h2>
          {games.length === 0 && <p class="faint">None yet. The server stores the games; this browser remembers the links to them.</p>}
          <ul class="list">
            {games.map((game) => (
              <li key={game.table + game.key}>
                <a href={`#/t/${game.table}/${game.key}`}>{game.title}</a>
                <time class="faint" dateTime={new Date(game.when).toISOString()}>
                  {new Date(game.when).toLocaleString()}
                </time>
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Remove ${game.title} from the list`}
                  onClick={() => {
                    forget(game.table);
                    setGames(knownGames());
                  }}
                >
                  ✕
                </button>
              </li>
            ))}
          </ul>
        </section>
        <OpenFile link={link} />
      </div>
    </div>
  );
}

function NewGame({ link, form, hello }: { link: Link; form: GameForm; hello: Hello }) {
  const [options, setOptions] = useState<Options>({});
  const [found, setFound] = useState<Configuration | null>(null);
  const [checked, setChecked] = useState(""); // the options that `found` is about
  const [seats, setSeats] = useState<SeatChoice[]>([]);
  const [hints, setHints] = useState(true);
  const [seed, setSeed] = useState("");
  const [problem, setProblem] = useState("");
  const { share, stop, wait } = useLong();

  useEffect(() => {
    let stale = false;
    link
      .ask<Configuration>("agents", { game: form.name, options })
      .then((answer) => {
        if (stale) return;
        setFound(answer);
        setChecked(JSON.stringify(options));
        if (answer.players) setSeats((old) => fit(old, answer.players!, answer.missing ?? {}, form));
      })
      .catch((error) => !stale && setProblem(messageOf(error)));
    return () => {
      stale = true;
    };
  }, [link, form, JSON.stringify(options)]);

  const set = (name: string, value: OptionValue) => {
    setProblem("");
    setOptions((old) => {
      const now = { ...old };
      const usual = form.options.find((option) => option.name === name)?.default ?? null;
      if (JSON.stringify(value) === JSON.stringify(usual)) delete now[name];
      else now[name] = value;
      return now;
    });
  };

  const start = async () => {
    setProblem("");
    try {
      const fields = { game: form.name, options, seats, hints, ...(seed ? { seed: Number(seed) } : {}) };
      const keys = await wait((told) => link.askLong<Keys>("new", fields, told));
      await enter(keys, `${form.title}: ${seats.map(nameOf).join(", ")}`);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };

  const players = form.options.find((option) => option.name === "players");
  const others = form.options.filter((option) => option !== players);
  const links = seats.some((seat) => seat.kind === "link");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      {players && (
        <fieldset class="row">
          <legend>Players</legend>
          {(found?.counts ?? []).map((count) => (
            <label key={count} class="radio">
              <input
                type="radio"
                name="players"
                checked={(options.players ?? players.default) === count}
                onChange={() => set("players", count)}
              />
              {count}
            </label>
          ))}
        </fieldset>
      )}
      <fieldset>
        <legend>Seats</legend>
        <SeatsForm
          seats={seats}
          change={setSeats}
          agents={form.agents}
          missing={found?.missing ?? {}}
          limits={hello.limits}
          opponent={form.opponent}
        />
        {!seats.some((seat) => seat.kind !== "agent") && seats.length > 0 && (
          <p class="faint">Agents only: you will be watching.</p>
        )}
        {links && (
          <label class="check">
            <input type="checkbox" checked={hints} onChange={(event) => setHints(event.currentTarget.checked)} />
            Allow players to ask agents for hints
          </label>
        )}
      </fieldset>
      <details class="more">
        <summary>Rules and set-up{Object.keys(options).some((name) => name !== "players") ? " (changed)" : ""}</summary>
        {others.map((option) => (
          <OptionInput key={option.name} option={option} value={options[option.name] ?? option.default} set={set} />
        ))}
        <label class="option">
          <span>seed</span>
          <input
            inputMode="numeric"
            pattern="[0-9]*"
            maxLength={15}
            placeholder="random"
            value={seed}
            onInput={(event) => setSeed(event.currentTarget.value.replace(/\D/g, ""))}
          />
          <small>The same seed gives the same set-up.</small>
        </label>
      </details>
      <Problem text={problem || (found?.problem ? messageOf(new Error(found.problem)) : "")} />
      <button class="main" type="submit" disabled={share !== null || checked !== JSON.stringify(options) || !!found?.problem || seats.length === 0}>
        {share ? "Setting up …" : "Start"}
      </button>
      {share?.compiling && <Progress share={share} stop={stop} what="Setting up" />}
    </form>
  );
}

function nameOf(seat: SeatChoice): string {
  return seat.kind === "here" ? "you" : seat.kind === "link" ? "guest" : (seat.agent?.name ?? "");
}

function fit(old: SeatChoice[], players: number, missing: Record<string, string>, form: GameForm): SeatChoice[] {
  const usual = form.opponent in missing ? "random" : form.opponent;
  return Array.from({ length: players }, (_, seat): SeatChoice => {
    const before = old[seat];
    if (before && !(before.agent && before.agent.name in missing)) return before;
    return seat === 0 && !before ? { kind: "here" } : { kind: "agent", agent: { name: usual } };
  });
}

function OptionInput({
  option,
  value,
  set,
}: {
  option: OptionField;
  value: OptionValue;
  set: (name: string, value: OptionValue) => void;
}) {
  const label = plain(option.name);
  if (option.kind === "bool")
    return (
      <label class="check option">
        <input
          type="checkbox"
          checked={value === true}
          onChange={(event) => set(option.name, event.currentTarget.checked)}
        />
        <span>{label}</span>
        <small>{option.help}</small>
      </label>
    );
  if (option.several && option.names.length > 0) {
    const chosen = Array.isArray(value) ? value : [];
    return (
      <fieldset class="option">
        <legend>{label}</legend>
        {option.names.map((name) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={(event) =>
                set(
                  option.name,
                  event.currentTarget.checked ? [...chosen, name] : chosen.filter((one) => one !== name),
                )
              }
            />
            {plain(name)}
          </label>
        ))}
        <small>{option.help}</small>
      </fieldset>
    );
  }
  if (option.choices.length > 0)
    return (
      <label class="option">
        <span>{label}</span>
        <select
          value={String(value)}
          onChange={(event) =>
            set(option.name, option.choices.find((choice) => String(choice) === event.currentTarget.value) ?? null)
          }
        >
          {option.choices.map((choice) => (
            <option key={String(choice)} value={String(choice)}>
              {plain(String(choice))}
            </option>
          ))}
        </select>
        <small>{option.help}</small>
      </label>
    );
  const numeric = option.kind !== "str";
  return (
    <label class="option">
      <span>{label}</span>
      <input
        inputMode={numeric ? "decimal" : "text"}
        value={String(value ?? "")}
        onChange={(event) => {
          const given = event.currentTarget.value;
          set(option.name, given === "" ? option.default : numeric ? Number(given) : given);
        }}
      />
      <small>{option.help}</small>
    </label>
  );
}

function OpenFile({ link }: { link: Link }) {
  const [problem, setProblem] = useState("");
  const [text, setText] = useState("");
  const [games, setGames] = useState(0);
  const [number, setNumber] = useState(1);
  const { share, stop, wait } = useLong();
  const open = async (from: string, which: number) => {
    setProblem("");
    try {
      const keys = await wait((told) => link.askLong<Keys>("open", { text: from, number: which }, told));
      await enter(keys, "Replay from a file");
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <section class="card" aria-labelledby="open">
      <h2 id="open">Open a replay</h2>
      <p class="faint">A file that this page, <code>pr-env play</code>, <code>pr-env watch --save</code> or the arena has written.</p>
      <input
        type="file"
        aria-label="Replay file"
        accept=".jsonl,.json"
        onChange={async (event) => {
          const file = event.currentTarget.files?.[0];
          if (!file) return;
          const content = await file.text();
          const lines = content.split("\n").filter((line) => line.trim()).length;
          setText(content);
          setGames(lines);
          setNumber(1);
          if (lines === 1) await open(content, 1);
        }}
      />
      {games > 1 && (
        <p class="row">
          <label>
            Game{" "}
            <input
              type="number"
              min={1}
              max={games}
              value={number}
              onInput={(event) => setNumber(Number(event.currentTarget.value))}
            />{" "}
            of {games}
          </label>
          <button type="button" onClick={() => void open(text.split("\n").filter((line) => line.trim())[number - 1] ?? "", 1)}>
            Open
          </button>
        </p>
      )}
      {share && <Progress share={share} stop={stop} what="Reading the replay" />}
      <Problem text={problem} />
    </section>
  );
}
