// What the results are narrowed to; every choice stands in the address.
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ChevronDown, X } from "lucide-react";
import { listOf, wordOf } from "@/app/search";
import { FILTERS } from "@/memory/kinds";
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine } from "@/ui/Menu";
import { dayText } from "@/ui/Time";

const STATES = [["pending", "Waiting"], ["rejected", "Rejected"], ["superseded", "Replaced"], ["expired", "Expired"], ["deleted", "Forgotten"]] as const;
const SPANS = [["Today", 1], ["Past week", 7], ["Past month", 30], ["Past year", 365]] as const;

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

export function Filters({ searching }: { searching: boolean }) {
  const search = useSearch({ from: "/" });
  const navigate = useNavigate({ from: "/" });
  const set = (change: Partial<typeof search>): void => void navigate({ search: (before) => ({ ...before, ...change }) });
  const kinds = new Set(listOf(search.kinds));
  const include = listOf(search.include);
  const chosen = FILTERS.filter(([, names]) => names.every((name) => kinds.has(name))).map(([label]) => label);
  const toggle = (names: string[], on: boolean): void => {
    const next = new Set(kinds);
    for (const name of names) if (on) next.add(name); else next.delete(name);
    set({ kinds: wordOf([...next]) });
  };
  const any = [search.kinds, search.since, search.until, search.include, search.flagged, search.asof].some(Boolean);
  const times = [["from", search.since], ["until", search.until], ["as of", search.asof]] as const;
  const when = times.flatMap(([word, day]) => (day === undefined ? [] : [`${word} ${dayText(day)}`])).join(" ");
  return (
    <div className="filters" role="group" aria-label="Filters">
      <Menu align="start" trigger={<Chip name="Kind" value={chosen.length === 0 ? [...kinds].join(", ") : chosen.join(", ")} />}>
        <MenuItem onSelect={() => set({ kinds: undefined })}>Any kind</MenuItem>
        <MenuLine />
        {FILTERS.map(([label, names]) => (
          <MenuCheck key={label} checked={names.every((name) => kinds.has(name))} onChange={(on) => toggle(names, on)}>{label}</MenuCheck>
        ))}
      </Menu>
      <Menu align="start" trigger={<Chip name="Time" value={when} />}>
        <MenuItem onSelect={() => set({ since: undefined, until: undefined })}>Any time</MenuItem>
        {SPANS.map(([label, days]) => <MenuItem key={label} onSelect={() => set({ since: daysAgo(days), until: undefined })}>{label}</MenuItem>)}
        <MenuLine />
        <div className="menu-dates">
          <label>From<input type="date" value={search.since?.slice(0, 10) ?? ""} onKeyDown={(event) => event.stopPropagation()} onChange={(event) => set({ since: event.target.value || undefined })} /></label>
          <label>Until<input type="date" value={search.until?.slice(0, 10) ?? ""} onKeyDown={(event) => event.stopPropagation()} onChange={(event) => set({ until: event.target.value || undefined })} /></label>
          {searching && <label>As it was on<input type="date" value={search.asof ?? ""} onKeyDown={(event) => event.stopPropagation()} onChange={(event) => set({ asof: event.target.value || undefined })} /></label>}
        </div>
      </Menu>
      {searching ? (
        <Menu align="start" trigger={<Chip name="Trust" value={search.flagged === "no" ? "nothing flagged" : null} />}>
          <MenuLabel>Texts that read like instructions to a model</MenuLabel>
          <MenuItem onSelect={() => set({ flagged: undefined })}>Show them, marked</MenuItem>
          <MenuItem onSelect={() => set({ flagged: "no" })}>Leave them out</MenuItem>
        </Menu>
      ) : (
        <Menu align="start" trigger={<Chip name="Status" value={STATES.filter(([state]) => include.includes(state)).map(([, label]) => label.toLowerCase()).join(", ") || null} />}>
          <MenuLabel>Show also</MenuLabel>
          {STATES.map(([state, label]) => (
            <MenuCheck key={state} checked={include.includes(state)} onChange={(on) => set({ include: wordOf(on ? [...include, state] : include.filter((each) => each !== state)) })}>{label}</MenuCheck>
          ))}
        </Menu>
      )}
      {any && (
        <button type="button" className="chip clear" onClick={() => set({ kinds: undefined, since: undefined, until: undefined, include: undefined, flagged: undefined, asof: undefined })}>
          <X size={13} aria-hidden />Clear
        </button>
      )}
    </div>
  );
}

function Chip({ name, value, ...rest }: { name: string; value: string | null } & Record<string, unknown>) {
  const set = value !== null && value !== "";
  return (
    <button type="button" className={set ? "chip set" : "chip"} {...rest}>
      {name}{set && <>: <span className="clip">{value}</span></>}<ChevronDown size={13} aria-hidden />
    </button>
  );
}
