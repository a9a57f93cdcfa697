// Forms for choosing who plays each seat.
import type { AgentChoice, AgentInfo, Hello, SeatChoice } from "./types";
import { Badge } from "./parts";

export function AgentPicker({
  agents,
  missing,
  value,
  change,
  limits,
  label,
}: {
  agents: AgentInfo[];
  missing: Record<string, string>;
  value: AgentChoice;
  change: (choice: AgentChoice) => void;
  limits: Hello["limits"];
  label: string;
}) {
  return (
    <span class="agent">
      <select
        aria-label={label}
        value={value.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      >
        {agents.map((agent) => (
          <option key={agent.name} value={agent.name} disabled={agent.name in missing} title={agent.words}>
            {agent.name}
            {agent.name in missing ? " (not available for this game)" : ""}
          </option>
        ))}
      </select>
      <Effort agents={agents} value={value} change={change} limits={limits} label={label} />
    </span>
  );
}

// The search budget of an agent: playouts or time.
export function Effort({
  agents,
  value,
  change,
  limits,
  label,
}: {
  agents: AgentInfo[];
  value: AgentChoice;
  change: (choice: AgentChoice) => void;
  limits: Hello["limits"];
  label: string;
}) {
  if (!agents.find((agent) => agent.name === value.name)?.searches) return null;
  const efforts: [string, AgentChoice][] = [
    ["default effort", { name: value.name }],
    ["100 playouts", { name: value.name, playouts: 100 }],
    ["1,000 playouts", { name: value.name, playouts: 1000 }],
    ["5,000 playouts", { name: value.name, playouts: 5000 }],
    ["1 second", { name: value.name, seconds: 1 }],
    ["5 seconds", { name: value.name, seconds: 5 }],
    ["20 seconds", { name: value.name, seconds: 20 }],
  ];
  const allowed = efforts.filter(
    ([, choice]) => (choice.playouts ?? 0) <= limits.playouts && (choice.seconds ?? 0) <= limits.seconds,
  );
  const now = allowed.findIndex(
    ([, choice]) => choice.playouts === value.playouts && choice.seconds === value.seconds,
  );
  return (
    <select
      aria-label={`${label}: search budget`}
      value={String(Math.max(0, now))}
      onChange={(event) => change(allowed[Number(event.currentTarget.value)][1])}
    >
      {allowed.map(([words], place) => (
        <option key={words} value={String(place)}>
          {words}
        </option>
      ))}
    </select>
  );
}

export function SeatsForm({
  seats,
  change,
  agents,
  missing,
  limits,
  opponent,
}: {
  seats: SeatChoice[];
  change: (seats: SeatChoice[]) => void;
  agents: AgentInfo[];
  missing: Record<string, string>;
  limits: Hello["limits"];
  opponent: string;
}) {
  const set = (seat: number, choice: SeatChoice) => change(seats.map((old, place) => (place === seat ? choice : old)));
  return (
    <ol class="seats">
      {seats.map((choice, seat) => (
        <li key={seat}>
          <Badge seat={seat} />
          <select
            aria-label={`Who plays seat ${seat}`}
            value={choice.kind === "agent" ? `agent ${choice.agent?.name}` : choice.kind}
            onChange={(event) => {
              const value = event.currentTarget.value;
              if (value === "here" || value === "link") set(seat, { kind: value });
              else set(seat, { kind: "agent", agent: { name: value.slice(6) } });
            }}
          >
            <option value="here">you, on this page</option>
            <option value="link">another person, by link</option>
            <optgroup label="Agents">
              {agents.map((agent) => (
                <option
                  key={agent.name}
                  value={`agent ${agent.name}`}
                  disabled={agent.name in missing}
                  title={agent.words}
                >
                  {agent.name}
                  {agent.name === opponent ? " (default)" : ""}
                  {agent.name in missing ? " (not available for this game)" : ""}
                </option>
              ))}
            </optgroup>
          </select>
          {choice.kind === "agent" && choice.agent && (
            <Effort
              agents={agents}
              value={choice.agent}
              change={(agent) => set(seat, { kind: "agent", agent })}
              limits={limits}
              label={`Seat ${seat}`}
            />
          )}
        </li>
      ))}
    </ol>
  );
}
