// The frame of the page: the current view, the header and the settings.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Arena } from "./arena";
import { Home } from "./home";
import { Link } from "./link";
import { useSettings, type Settings } from "./memory";
import { Icon } from "./parts";
import { TablePage } from "./table";
import type { Hello } from "./types";

// "#/t/TABLE/KEY" is a table, "#/arena" the tournaments, anything else the start page.
function place(): string[] {
  return location.hash.replace(/^#\/?/, "").split("/");
}

export function go(to: string): void {
  location.hash = to;
}

export function App() {
  const link = useMemo(() => new Link(), []);
  const [where, setWhere] = useState(place);
  const [hello, setHello] = useState<Hello | null>(null);
  const [connected, setConnected] = useState(true);
  const [connections, setConnections] = useState(0);
  const [settings, change] = useSettings();

  useEffect(() => {
    const moved = () => setWhere(place());
    addEventListener("hashchange", moved);
    link.onStatus = (now) => {
      setConnected(now);
      if (now) setConnections((count) => count + 1);
    };
    void link
      .ask<Hello>("hello")
      .then(setHello)
      .catch(() => {});
    return () => removeEventListener("hashchange", moved);
  }, [link]);

  useEffect(() => {
    if (connections > 1 && !hello) void link.ask<Hello>("hello").then(setHello);
  }, [connections]);

  useEffect(() => {
    document.documentElement.dataset.theme = settings.theme;
  }, [settings.theme]);

  const at = where[0];
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById("main")?.focus())}>
        Skip to content
      </a>
      <header class="head">
        <a class="home" href="#/" aria-label="pr-env, home">
          <svg viewBox="0 0 16 16" width="22" height="22" aria-hidden="true">
            <path fill="currentColor" d="M1 10h14l-2 4H3zM7 1v8H2zM8 1l5 8H8z" />
          </svg>
          <span>pr-env</span>
        </a>
        <nav>
          <a href="#/" aria-current={at === "" ? "page" : undefined}>
            Games
          </a>
          <a href="#/arena" aria-current={at === "arena" ? "page" : undefined}>
            Arena
          </a>
        </nav>
        <SettingsMenu settings={settings} change={change} />
      </header>
      {!connected && (
        <p class="lost" role="status">
          Lost the connection to the server. Reconnecting …
        </p>
      )}
      <main id="main" tabIndex={-1}>
        {at === "t" && where[1] && where[2] ? (
          <TablePage
            key={where[1] + where[2]}
            link={link}
            id={where[1]}
            secret={where[2]}
            hello={hello}
            settings={settings}
            connections={connections}
          />
        ) : at === "arena" ? (
          <Arena link={link} hello={hello} />
        ) : (
          <Home link={link} hello={hello} />
        )}
      </main>
    </>
  );
}

function SettingsMenu({ settings, change }: { settings: Settings; change: (some: Partial<Settings>) => void }) {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const outside = (event: Event) => {
      if (box.current?.open && !box.current.contains(event.target as Node)) box.current.open = false;
    };
    addEventListener("pointerdown", outside);
    return () => removeEventListener("pointerdown", outside);
  }, []);
  return (
    <details
      class="settings"
      ref={box}
      onKeyDown={(event) => {
        if (event.key === "Escape" && box.current) {
          box.current.open = false;
          box.current.querySelector("summary")?.focus();
        }
      }}
    >
      <summary aria-label="Settings">
        <Icon name="gear" />
      </summary>
      <div class="menu">
        <label>
          Colours
          <select
            value={settings.theme}
            onChange={(event) => change({ theme: event.currentTarget.value as Settings["theme"] })}
          >
            <option value="auto">system</option>
            <option value="light">light</option>
            <option value="dark">dark</option>
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={settings.movement}
            onChange={(event) => change({ movement: event.currentTarget.checked })}
          />
          Animate moves
        </label>
        <label>
          Show each move of the other players for
          <select
            value={String(settings.pace)}
            onChange={(event) => change({ pace: Number(event.currentTarget.value) })}
          >
            <option value="0">no time (show the result at once)</option>
            <option value="0.25">¼ second</option>
            <option value="0.5">½ second</option>
            <option value="1">1 second</option>
            <option value="2">2 seconds</option>
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={settings.values}
            onChange={(event) => change({ values: event.currentTarget.checked })}
          />
          Show each player's chances of winning
        </label>
      </div>
    </details>
  );
}
