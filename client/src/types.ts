// Messages from the server, as written by web/views.py, web/session.py and web/insight.py.

export type OptionValue = boolean | number | string | string[] | null;
export type Options = Record<string, OptionValue>;

export interface OptionField {
  name: string;
  kind: "bool" | "int" | "float" | "str";
  choices: (string | number)[];
  names: string[];
  several: boolean;
  default: OptionValue;
  help: string;
}

export interface AgentInfo {
  name: string;
  words: string;
  searches: boolean;
}

export interface GameForm {
  name: string;
  title: string;
  options: OptionField[];
  agents: AgentInfo[];
  opponent: string;
}

export interface Hello {
  version: string;
  games: GameForm[];
  default: string;
  limits: { playouts: number; seconds: number; message: number };
  arenas: number;
}

export interface Configuration {
  problem: string;
  counts: number[];
  players?: number;
  missing?: Record<string, string>;
  together?: boolean;
  notes?: [string, string][];
}

export interface AgentChoice {
  name: string;
  playouts?: number;
  seconds?: number;
}

export interface SeatChoice {
  kind: "here" | "link" | "agent";
  agent?: AgentChoice;
}

export interface Keys {
  table: string;
  key: string;
  watch: string;
  links: { seat: number; key: string }[];
  games?: number;
}

// What the server compiles before it can answer.
export interface Compiling {
  what: string;
  seconds: number;
  about: number;
}

// How far a long answer is.
export interface Share {
  done: number; // 0 to 1
  compiling: Compiling | null;
}

export interface SeatState {
  label: string;
  who: string;
  person: boolean;
  mine: boolean;
  team: number;
}

export interface TableState {
  id: string;
  game: string;
  title: string;
  options: Options;
  seats: SeatState[];
  together: boolean;
  unit: string;
  moves: number;
  undone: number;
  player: number;
  over: boolean;
  finished: boolean;
  thinking: boolean;
  compiling: Compiling | null;
  pace: number | null;
  problem: string;
  owner: boolean;
  myTurn: boolean;
  mayUndo: boolean;
  mayAnalyse: boolean;
  mayAsk: boolean;
  maySave: boolean;
}

export interface Answer {
  number: number;
  answer: string;
  sentence: string;
  remark: string;
}

export interface Look {
  move: number;
  svg: string | null;
  text: string | null;
  player: number;
  over: boolean;
  part: string;
  question: string;
  explanation: string;
  standings: [number, string][];
  legal: Answer[];
  mine: boolean;
}

export interface Line {
  move: number;
  action: number | null;
  player: number;
  who: string;
  opens: boolean;
  words: string;
  effects: string[];
  part: string;
}

export interface HintResult {
  by: string;
  player: number;
  actions: { number: number; share: number; win: number | null }[];
  values: number[];
}

export interface ValuesResult {
  by: string;
  move: number;
  values: number[];
}

export interface Turn {
  move: number;
  player: number;
  played: string;
  better: string;
  same: boolean;
  change: number[];
}

export interface CurveResult {
  by: string;
  advisor: string;
  values: number[][];
  best: number[];
  turns: Turn[];
}

export interface ArenaRow {
  agent: string;
  copies: number;
  win: number;
  low: number;
  high: number;
  points: number;
  rank: number | null;
  faults: number;
}

export interface ArenaSummary {
  number: number;
  name: string;
  game: string;
  options: Options;
  mode: string;
  seed: number;
  unit: string;
  together: boolean;
  ratings: Record<string, number[]>;
  replays: boolean;
  matches: { agents: string[]; games: number; length: number; rows: ArenaRow[] }[];
}

export interface ArenaGame {
  game: number;
  seed: number;
  seats: string[];
  wins: number[];
  points: number[];
  length: number;
  fault: string;
}
