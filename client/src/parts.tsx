// Small things that several views have.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

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

export function Problem({ text }: { text: string }) {
  return text ? (
    <p class="problem" role="alert">
      {text}
    </p>
  ) : null;
}

export function Progress({ share, stop, what }: { share: number; stop: () => void; what: string }) {
  return (
    <div class="progress" role="status">
      <span>{what}</span>
      <progress value={share} max={1} aria-label={what} />
      <button type="button" onClick={stop}>
        Stop
      </button>
    </div>
  );
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
