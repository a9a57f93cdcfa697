// What this browser remembers: settings and links to games.
import { useState } from "preact/hooks";

export interface Settings {
  theme: "auto" | "light" | "dark";
  movement: boolean;
  pace: number; // how long to show each move of another player, in seconds
  values: boolean; // whether to show the chances of winning
}

export interface Known {
  table: string;
  key: string;
  watch: string;
  links: { seat: number; key: string }[];
  title: string;
  when: number;
}

const USUAL: Settings = { theme: "auto", movement: true, pace: 0.5, values: true };
const MOST_GAMES = 30;

function read<T>(name: string, otherwise: T): T {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? "null");
    return kept === null ? otherwise : (kept as T);
  } catch {
    return otherwise;
  }
}

function write(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // the browser blocks storage: the page works without it
  }
}

export function useSettings(): [Settings, (change: Partial<Settings>) => void] {
  const [settings, set] = useState<Settings>(() => ({ ...USUAL, ...read<Partial<Settings>>("settings", {}) }));
  return [
    settings,
    (change) => {
      const now = { ...settings, ...change };
      write("settings", now);
      set(now);
    },
  ];
}

export function knownGames(): Known[] {
  const games = read<Known[]>("games", []);
  return Array.isArray(games) ? games : [];
}

export function remember(game: Known): void {
  const others = knownGames().filter((one) => one.table !== game.table || one.key !== game.key);
  write("games", [game, ...others].slice(0, MOST_GAMES));
}

export function forget(table: string): void {
  write(
    "games",
    knownGames().filter((one) => one.table !== table),
  );
}
