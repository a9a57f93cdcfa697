// Small components shared by several views.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Asked } from "./link";
import type { Compiling, Share } from "./types";

export const SEAT_COLOURS = ["#2f6fb0", "#c03f33", "#3b8a50", "#7c51a1", "#c9731c", "#1c8a8f"];
export const DASHES = ["", "7 4", "2 3", "10 3 2 3", "5 2", "1 5"];

export function Badge({ seat }: { seat: number }) {
  return (
    <span class="badge" style={{ background: SEAT_COLOURS[seat % SEAT_COLOURS.length] }} aria-hidden="true">
      {seat}
    </span>
  );
}

export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

// A CSS length.
export function widthOf(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

const ICONS = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M8 3v10L2 8zM14 3v10L8 8z",
  previous: "M11 3v10L4 8z",
  next: "M5 3v10l7-5z",
  forth: "M8 3v10l6-5zM2 3v10l6-5z",
  last: "M11 3h2v10h-2zM3 3v10l7-5z",
  play: "M4 2v12l9-6z",
  pause: "M4 2h3v12H4zM9 2h3v12H9z",
  less: "M3 7h10v2H3z",
  more: "M3 7h4V3h2v4h4v2H9v4H7V9H3z",
  fit: "M2 2h5v2H4v3H2zM9 2h5v5h-2V4H9zM2 9h2v3h3v2H2zM12 9h2v5H9v-2h3z",
  gear: "M7 1h2l.4 1.8 1.5.6L12.500 2.400l1.400 1.400-1 1.600.6 1.500L15 7v2l-1.800.4-.6 1.500 1 1.600-1.400 1.400-1.600-1-1.500.6L9 15H7l-.4-1.800-1.500-.6-1.600 1-1.400-1.400 1-1.600-.6-1.500L1 9V7l1.800-.4.6-1.500-1-1.600 1.400-1.400 1.600 1 1.500-.6zM8 5.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 1 0 0-5z",
};

export function Icon({ name }: { name: keyof typeof ICONS }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path fill="currentColor" fill-rule="evenodd" d={ICONS[name]} />
    </svg>
  );
}

export function Problem({ text }: { text: string }) {
  return text ? (
    <p class="problem" role="alert">
      {text}
    </p>
  ) : null;
}

// A long answer that is waited for: what is going on, how far it is, and a way to stop it.
export function Progress({ share, stop, what }: { share: Share; stop?: () => void; what: string }) {
  const { done, compiling } = share;
  const words = compiling ? compilingWords(compiling) : what;
  return (
    <div class="progress">
      <span role="status">{words}</span>
      <progress
        value={compiling ? Math.min(0.98, compiling.seconds / compiling.about) : done}
        max={1}
        aria-label={words}
      />
      {compiling && <small>{compilingTime(compiling)}</small>}
      {stop && (
        <button type="button" onClick={stop}>
          Stop
        </button>
      )}
    </div>
  );
}

export function compilingWords(compiling: Compiling): string {
  return `Compiling ${compiling.what.replace(/_/g, " ")}: needed once after an install or an edit`;
}

export function compilingTime({ seconds, about }: Compiling): string {
  const time = (count: number) => (count < 120 ? `${count} s` : `${Math.round(count / 60)} min`);
  return `${time(seconds)} of about ${time(about)}${seconds > about ? "; it takes longer than estimated" : ""}`;
}

// A question that may take long, for a component: whether it is open, how far it is, and how to stop it.
export function useLong(): { share: Share | null; stop: () => void; wait: <T>(ask: (progress: (share: Share) => void) => Asked<T>) => Promise<T> } {
  const [share, setShare] = useState<Share | null>(null);
  const asked = useRef<Asked<unknown> | null>(null);
  useEffect(() => () => asked.current?.stop(), []);
  const wait = async <T,>(ask: (progress: (share: Share) => void) => Asked<T>): Promise<T> => {
    setShare({ done: 0, compiling: null });
    const now = ask(setShare);
    asked.current = now;
    try {
      return await now.answer;
    } finally {
      asked.current = null;
      setShare(null);
    }
  };
  return { share, stop: () => asked.current?.stop(), wait };
}

export function Dialog({
  title,
  close,
  children,
}: {
  title: string;
  close: () => void;
  children: ComponentChildren;
}) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    box.current?.showModal();
  }, []);
  return (
    <dialog
      ref={box}
      aria-label={title}
      onClose={close}
      onClick={(event) => {
        if (event.target === box.current) close();
      }}
    >
      <div class="dialog">
        <h2>{title}</h2>
        <button type="button" class="close" aria-label="Close" onClick={close}>
          ✕
        </button>
        {children}
      </div>
    </dialog>
  );
}

export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function plain(name: string): string {
  return name.replace(/_/g, " ");
}
