// Each player's chances: bars for the current position, a curve for the whole game. Numbers and dashes repeat what the
// colours show.
import { DASHES, percent, SEAT_COLOURS, widthOf } from "./parts";
import type { CurveResult, SeatState, TableState } from "./types";

// One side per seat, or a single one if all players win or lose together.
function sides(seats: SeatState[], together: boolean): { label: string; short: string; seat: number }[] {
  if (together) return [{ label: seats.length > 1 ? "The team" : seats[0].label, short: "win", seat: 0 }];
  return seats.map((seat, place) => ({ label: seat.label, short: String(place), seat: place }));
}

export function Bars({ values, state, by }: { values: number[] | null; state: TableState; by: string }) {
  return (
    <div class="bars" role="group" aria-label="Chances of winning">
      {sides(state.seats, state.together).map((side) => {
        const share = values?.[side.seat] ?? null;
        return (
          <div
            key={side.seat}
            class="bar"
            role="meter"
            aria-label={`${side.label}: chance of winning`}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={share === null ? 0 : Math.round(100 * share)}
            aria-valuetext={share === null ? "not known yet" : percent(share)}
          >
            <span class="badge" style={{ background: SEAT_COLOURS[side.seat % 6] }}>
              {side.short}
            </span>
            <span class="track">
              <span class="fill" style={{ width: widthOf(share ?? 0), background: SEAT_COLOURS[side.seat % 6] }} />
            </span>
            <span class="share">{share === null ? "…" : percent(share)}</span>
          </div>
        );
      })}
      {by && <small class="faint">estimated by {by}</small>}
    </div>
  );
}

// About the size on the screen, so that the numbers are as large as the other text.
const WIDTH = 340;
const HEIGHT = 200;
const LEFT = 42;
const RIGHT = 20;
const TOP = 8;
const BOTTOM = 26;

export function Curve({
  curve,
  state,
  shown,
  show,
}: {
  curve: CurveResult;
  state: TableState;
  shown: number;
  show: (move: number) => void;
}) {
  const last = Math.max(1, curve.values.length - 1);
  const x = (move: number) => LEFT + (move / last) * (WIDTH - LEFT - RIGHT);
  const y = (share: number) => TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
  const lines = sides(state.seats, state.together);
  const pick = (event: MouseEvent) => {
    const rect = (event.currentTarget as Element).getBoundingClientRect();
    const place = ((event.clientX - rect.left) / rect.width) * WIDTH;
    show(Math.round(Math.max(0, Math.min(1, (place - LEFT) / (WIDTH - LEFT - RIGHT))) * last));
  };
  const labels = endLabels(lines.map((side) => y(curve.values[curve.values.length - 1][side.seat])));
  return (
    <svg
      class="curve"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Chances of winning over ${last} moves. At the end: ${lines
        .map((side) => `${side.label} ${percent(curve.values[curve.values.length - 1][side.seat])}`)
        .join(", ")}.`}
      onClick={pick}
    >
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <g key={share}>
          <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(share)} y2={y(share)} class="grid" />
          <text x={LEFT - 6} y={y(share) + 4} text-anchor="end">
            {percent(share)}
          </text>
        </g>
      ))}
      <text x={LEFT} y={HEIGHT - 8}>
        move 0
      </text>
      <text x={WIDTH - RIGHT} y={HEIGHT - 8} text-anchor="end">
        {last}
      </text>
      {curve.turns.map((turn) => (
        <g key={turn.move} class="turn">
          <line x1={x(turn.move + 1)} x2={x(turn.move + 1)} y1={TOP} y2={HEIGHT - BOTTOM} />
          <path
            d={`M${x(turn.move + 1)} ${HEIGHT - BOTTOM + 2}l5 8h-10z`}
            fill={SEAT_COLOURS[turn.player % 6]}
          >
            <title>{turn.played}</title>
          </path>
        </g>
      ))}
      {lines.map((side, place) => (
        <g key={side.seat}>
          <polyline
            points={curve.values.map((values, move) => `${x(move).toFixed(1)},${y(values[side.seat]).toFixed(1)}`).join(" ")}
            fill="none"
            stroke={SEAT_COLOURS[side.seat % 6]}
            stroke-width="2.2"
            stroke-dasharray={DASHES[side.seat % 6]}
          />
          <text x={WIDTH - RIGHT + 5} y={labels[place] + 4} fill={SEAT_COLOURS[side.seat % 6]} font-weight="bold">
            {side.short}
          </text>
        </g>
      ))}
      <line x1={x(shown)} x2={x(shown)} y1={TOP} y2={HEIGHT - BOTTOM} class="now" />
    </svg>
  );
}

// Positions of the labels at the ends of the lines, moved apart where they would overlap.
function endLabels(places: number[]): number[] {
  const order = places.map((_, place) => place).sort((one, other) => places[one] - places[other]);
  const moved = [...places];
  order.forEach((place, rank) => {
    if (rank > 0) moved[place] = Math.max(moved[place], moved[order[rank - 1]] + 13);
  });
  let lowest = HEIGHT - BOTTOM;
  for (const place of order.reverse()) {
    moved[place] = Math.min(moved[place], lowest);
    lowest = moved[place] - 13;
  }
  return moved;
}
