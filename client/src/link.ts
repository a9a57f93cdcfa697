// The connection to the server: questions with answers, and news of tables. It comes back by itself.
import type { Compiling, Share, TableState } from "./types";

export class Refused extends Error {
  constructor(
    message: string,
    readonly stopped = false,
  ) {
    super(message);
  }
}

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  progress?: (share: Share) => void;
}

export interface Asked<T> {
  answer: Promise<T>;
  stop: () => void;
}

export class Link {
  onTable: (state: TableState) => void = () => {};
  onStatus: (connected: boolean) => void = () => {};
  private socket: WebSocket | null = null;
  private opened: Promise<void> | null = null;
  private waiting = new Map<number, Waiting>();
  private last = 0;
  private pause = 250;

  ask<T>(what: string, fields: object = {}): Promise<T> {
    return this.askLong<T>(what, fields).answer;
  }

  askLong<T>(what: string, fields: object = {}, progress?: (share: Share) => void): Asked<T> {
    const id = ++this.last;
    const answer = this.open().then(
      () =>
        new Promise<T>((resolve, reject) => {
          if (this.socket?.readyState !== WebSocket.OPEN) {
            reject(new Refused("not connected to the server"));
            return;
          }
          this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, progress });
          this.socket.send(JSON.stringify({ do: what, id, ...fields }));
        }),
    );
    const stop = () => {
      if (this.waiting.has(id)) void this.ask("stop", { what: id }).catch(() => {});
    };
    return { answer, stop };
  }

  private open(): Promise<void> {
    this.opened ??= new Promise((resolve, reject) => {
      const address = new URL("ws" + location.search, location.href);
      address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
      address.hash = "";
      const socket = new WebSocket(address);
      this.socket = socket;
      socket.onopen = () => {
        this.pause = 250;
        this.onStatus(true);
        resolve();
      };
      socket.onmessage = (event) => this.receive(JSON.parse(event.data as string));
      socket.onclose = () => {
        this.opened = null;
        const lost = new Refused("the connection to the server was lost");
        for (const one of this.waiting.values()) one.reject(lost);
        this.waiting.clear();
        reject(lost);
        this.onStatus(false);
        setTimeout(() => void this.open().catch(() => {}), this.pause);
        this.pause = Math.min(4000, this.pause * 2);
      };
    });
    return this.opened;
  }

  private receive(message: {
    re?: number;
    ok?: unknown;
    error?: string;
    stopped?: boolean;
    progress?: number;
    compiling?: Compiling | null;
    table?: TableState;
  }): void {
    if (message.table) {
      this.onTable(message.table);
      return;
    }
    const one = this.waiting.get(message.re ?? -1);
    if (!one) return;
    if (message.progress !== undefined || message.compiling !== undefined) {
      one.progress?.({ done: message.progress ?? 0, compiling: message.compiling ?? null });
      return;
    }
    this.waiting.delete(message.re!);
    if (message.error !== undefined) one.reject(new Refused(message.error, message.stopped));
    else one.resolve(message.ok);
  }
}
