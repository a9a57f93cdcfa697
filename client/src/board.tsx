// The picture of a position, with clickable elements. On a narrow screen it is larger than its frame, and scrolls.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon, SEAT_COLOURS } from "./parts";
import type { Answer, Look } from "./types";

const SVG = "http://www.w3.org/2000/svg";
const READABLE = 0.62; // smallest legible scale of the picture
const MOST_FLYING = 5;

interface Props {
  look: Look;
  mine: boolean;
  choose: (action: number) => void;
  movement: boolean;
  played: { move: number; action: number | null; seat: number } | null; // the move that led to this position
  marked: number | null; // the action hovered or focused elsewhere on the page
  children: ComponentChildren; // shown below the board
}

export function Board({ look, mine, choose, movement, played, marked, children }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const holder = useRef<HTMLDivElement>(null);
  const before = useRef<{ move: number; things: Map<string, number>; action: Map<number, DOMRect> } | null>(null);
  const [menu, setMenu] = useState<{ x: number; y: number; answers: Answer[] } | null>(null);
  const [zoom, setZoom] = useState<number | null>(null);

  useLayoutEffect(() => {
    setMenu(null);
    const box = holder.current;
    if (!box) return;
    box.innerHTML = look.svg ?? "";
    const svg = box.querySelector("svg");
    if (!svg) return;
    box.style.setProperty("--own", `${svg.viewBox.baseVal.width}px`);
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", "Board");
    if (mine) makeClickable(svg);
    const now = { move: look.move, things: thingsOf(svg), action: placesOf(svg) };
    const old = before.current;
    if (movement && old && look.move === old.move + 1) {
      showChanges(svg, box, old, now.things, played?.move === look.move ? played : null);
    }
    before.current = now;
    if (mine) bringIntoView(box);
  }, [look.svg, look.move, mine]);

  useEffect(() => {
    const svg = holder.current?.querySelector("svg");
    svg?.querySelectorAll(".pointed").forEach((one) => one.classList.remove("pointed"));
    if (marked !== null) svg?.querySelectorAll(`[data-action~="${marked}"]`).forEach((one) => one.classList.add("pointed"));
  }, [marked, look.svg]);

  const resize = (factor: number) => setZoom(Math.max(0.2, Math.min(2.5, (zoom ?? size(holder.current)) * factor)));

  const act = (target: Element | null) => {
    const element = target?.closest("[data-action]");
    if (!mine || !element) {
      setMenu(null);
      return;
    }
    const numbers = element.getAttribute("data-action")!.split(" ").map(Number);
    const answers = look.legal.filter((answer) => numbers.includes(answer.number));
    if (answers.length === 1) choose(answers[0].number);
    else if (answers.length > 1 && frame.current) {
      const rect = element.getBoundingClientRect();
      const outer = frame.current.getBoundingClientRect();
      setMenu({
        x: Math.max(8, Math.min(rect.left - outer.left, outer.width - 240)),
        y: rect.bottom - outer.top + 6,
        answers,
      });
    }
  };

  if (!look.svg)
    return (
      <>
        <pre class="text-board">{look.text}</pre>
        <div class="foot">{children}</div>
      </>
    );
  return (
    <>
    <div class="board" ref={frame}>
      <div
        class="board-scroll"
        tabIndex={zoom === null ? undefined : 0}
        onScroll={() => setMenu(null)}
      >
        <div
          ref={holder}
          class={`drawing${mine ? " mine" : ""}`}
          style={{ "--zoom": zoom ?? "", "--readable": READABLE }}
          data-zoomed={zoom === null ? undefined : "yes"}
          onClick={(event) => act(event.target as Element)}
          onKeyDown={(event) => {
            if (event.key === "Enter" || event.key === " ") {
              event.preventDefault();
              act(event.target as Element);
            }
          }}
        />
      </div>
      {menu && <Choice {...menu} choose={choose} close={() => setMenu(null)} />}
    </div>
      <div class="foot">
        {children}
        <div class="zoom" role="group" aria-label="Board size">
          <button type="button" aria-label="Zoom out" onClick={() => resize(1 / 1.25)}>
            <Icon name="less" />
          </button>
          <button type="button" aria-label="Fit the board to the page" onClick={() => setZoom(fitted(frame.current, holder.current))}>
            <Icon name="fit" />
          </button>
          <button type="button" aria-label="Zoom in" onClick={() => resize(1.25)}>
            <Icon name="more" />
          </button>
        </div>
      </div>
    </>
  );
}

function Choice({
  x,
  y,
  answers,
  choose,
  close,
}: {
  x: number;
  y: number;
  answers: Answer[];
  choose: (action: number) => void;
  close: () => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector("button")?.focus(), []);
  return (
    <ul
      class="choice"
      ref={list}
      style={{ left: `${x}px`, top: `${y}px` }}
      onKeyDown={(event) => event.key === "Escape" && (event.stopPropagation(), close())}
    >
      {answers.map((answer) => (
        <li key={answer.number}>
          <button type="button" onClick={() => choose(answer.number)}>
            {answer.sentence}
          </button>
        </li>
      ))}
    </ul>
  );
}

function size(holder: HTMLDivElement | null): number {
  const svg = holder?.querySelector("svg");
  return svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
}

function fitted(frame: HTMLDivElement | null, holder: HTMLDivElement | null): number {
  const svg = holder?.querySelector("svg");
  return svg && frame ? frame.clientWidth / svg.viewBox.baseVal.width : 1;
}

// Elements with actions become buttons, marked by a ring: a shape, not just a colour.
function makeClickable(svg: SVGSVGElement): void {
  for (const element of svg.querySelectorAll<SVGGElement>("[data-action]")) {
    element.setAttribute("tabindex", "0");
    element.setAttribute("role", "button");
    const box = element.getBBox();
    const ring = document.createElementNS(SVG, "rect");
    const room = element.classList.contains("button") ? 2 : 3;
    ring.setAttribute("x", String(box.x - room));
    ring.setAttribute("y", String(box.y - room));
    ring.setAttribute("width", String(box.width + 2 * room));
    ring.setAttribute("height", String(box.height + 2 * room));
    ring.setAttribute("rx", element.classList.contains("button") ? "14" : "9");
    ring.setAttribute("class", "ring");
    element.append(ring);
  }
}

// Where the board is larger than its frame: what can be chosen comes into view, if none of it is. One thing alone, such
// as a deck, does not: it is in the list, and the cards that are decided about stay in view.
function bringIntoView(holder: HTMLElement): void {
  const scroll = holder.parentElement!;
  const frame = scroll.getBoundingClientRect();
  const open = [...holder.querySelectorAll("[data-action]:not(.button)")].map((one) => one.getBoundingClientRect());
  const inView = (rect: DOMRect) =>
    rect.left >= frame.left && rect.right <= frame.right && rect.top >= frame.top && rect.bottom <= frame.bottom;
  if (open.length < 2 || open.some(inView)) return;
  scroll.scrollLeft += outside(open[0].left, open[0].right, frame.left, frame.right);
  scroll.scrollTop += outside(open[0].top, open[0].bottom, frame.top, frame.bottom);
}

// How far something has to move to be inside, and no further: what else is to be seen stays in view.
function outside(start: number, end: number, first: number, last: number): number {
  const room = 10;
  if (start < first + room) return start - first - room;
  return Math.max(0, end - last + room);
}

// The name of an element, without its actions.
function nameOf(element: Element): string {
  return (element.getAttribute("aria-label") ?? "").split(". ")[0].replace(/\.$/, "");
}

function thingsOf(svg: SVGSVGElement): Map<string, number> {
  const things = new Map<string, number>();
  for (const element of svg.querySelectorAll('[aria-label][role="img"], [data-action]:not(.button)')) {
    const name = nameOf(element);
    things.set(name, (things.get(name) ?? 0) + 1);
  }
  return things;
}

function placesOf(svg: SVGSVGElement): Map<number, DOMRect> {
  const places = new Map<number, DOMRect>();
  for (const element of svg.querySelectorAll("[data-action]:not(.button)")) {
    for (const number of element.getAttribute("data-action")!.split(" ").map(Number)) {
      if (!places.has(number)) places.set(number, element.getBoundingClientRect());
    }
  }
  return places;
}

function showChanges(
  svg: SVGSVGElement,
  holder: HTMLElement,
  old: { things: Map<string, number>; action: Map<number, DOMRect> },
  now: Map<string, number>,
  played: { action: number | null; seat: number } | null,
): void {
  const left = new Map(old.things);
  const changed: Element[] = [];
  for (const element of svg.querySelectorAll('[aria-label][role="img"], [data-action]:not(.button)')) {
    const name = nameOf(element);
    const count = left.get(name) ?? 0;
    if (count > 0) left.set(name, count - 1);
    else changed.push(element);
  }
  if (changed.length === 0 || changed.length > now.size / 2) return;
  for (const element of changed) element.classList.add("changed");
  const from = played?.action == null ? undefined : old.action.get(played.action);
  if (!from || !played) return;
  const outer = holder.getBoundingClientRect();
  for (const element of changed.slice(0, MOST_FLYING)) {
    const to = element.getBoundingClientRect();
    const dot = document.createElement("span");
    dot.className = "flying";
    dot.style.background = SEAT_COLOURS[played.seat % SEAT_COLOURS.length];
    dot.textContent = String(played.seat);
    holder.append(dot);
    const at = (rect: DOMRect) =>
      `translate(${rect.left + rect.width / 2 - outer.left - 10}px, ${rect.top + rect.height / 2 - outer.top - 10}px)`;
    dot
      .animate(
        [
          { transform: at(from), opacity: 0.9 },
          { transform: at(to), opacity: 1, offset: 0.8 },
          { transform: at(to), opacity: 0 },
        ],
        { duration: 450, easing: "ease-in-out" },
      )
      .finished.then(() => dot.remove())
      .catch(() => dot.remove());
  }
}
