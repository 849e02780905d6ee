// What the results are narrowed to; every choice stands in the address.
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ChevronDown, X } from "lucide-react";
import { memo } from "react";
import { listOf, wordOf } from "@/app/search";
import { useSession } from "@/app/session";
import type { components } from "@/api/schema";
import { FILTERS, KNOWLEDGE } from "@/memory/kinds";
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine } from "@/ui/Menu";
import { dayText } from "@/ui/Time";
import { TRUST } from "./trust";

const STATES = [["pending", "Waiting"], ["rejected", "Rejected"], ["superseded", "Replaced"], ["deleted", "Forgotten"]] as const;
const ORIGINS = [["People", ["user"]], ["Agents and models", ["agent", "model"]], ["Imports", ["import"]], ["Files", ["file"]], ["Rules, from what you said", ["extraction"]], ["Tools and the web", ["tool", "web"]]] as const;
/** The large groups that stand in front of the filters. */
const SORTS = [["Everything", []], ["Knowledge", KNOWLEDGE], ["Conversations", ["message", "episode"]], ["Files", ["passage"]]] as const;
const SPANS = [["Today", 1], ["Past week", 7], ["Past month", 30], ["Past year", 365]] as const;

type Facets = components["schemas"]["Facets"];

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

export const Filters = memo(function Filters({ searching, facets }: { searching: boolean; facets: Facets | undefined }) {
  const search = useSearch({ from: "/" });
  const navigate = useNavigate({ from: "/" });
  const set = (change: Partial<typeof search>): void => void navigate({ search: (before) => ({ ...before, ...change }) });
  const kinds = new Set(listOf(search.kinds));
  const origins = new Set(listOf(search.origins));
  const { user } = useSession();
  const owners = Object.entries(facets?.owners ?? {}).sort(([, a], [, b]) => b - a);
  const chosen = FILTERS.filter(([, names]) => names.every((name) => kinds.has(name))).map(([label]) => label);
  const toggle = (names: string[], on: boolean): void => {
    const next = new Set(kinds);
    for (const name of names) if (on) next.add(name); else next.delete(name);
    set({ kinds: wordOf([...next]) });
  };
  const sum = (names: readonly string[], counts: Record<string, number> | undefined): number => names.reduce((total, name) => total + (counts?.[name] ?? 0), 0);
  const sort = SORTS.find(([, names]) => names.length === kinds.size && names.every((name) => kinds.has(name)))?.[0];
  const any = [search.kinds, search.since, search.until, search.origins, search.owner, search.status, search.trust, search.flagged, search.asof].some(Boolean);
  const times = [["from", search.since], ["until", search.until], ["as of", search.asof]] as const;
  const when = times.flatMap(([word, day]) => (day === undefined ? [] : [`${word} ${dayText(day)}`])).join(" ");
  return (
    <div className="filters" role="group" aria-label="Filters">
      <div className="sorts">
        {SORTS.map(([label, names]) => (
          <button key={label} type="button" className="tab" aria-pressed={sort === label} onClick={() => set({ kinds: wordOf([...names]) })}>
            {label}{names.length > 0 && facets && <span className="tab-count">{sum(names, facets.kinds).toLocaleString("en")}</span>}
          </button>
        ))}
      </div>
      <Menu align="start" trigger={<Chip name="Kind" value={sort !== undefined ? null : chosen.length === 0 ? [...kinds].join(", ") : chosen.join(", ")} />}>
        <MenuItem onSelect={() => set({ kinds: undefined })}>Any kind</MenuItem>
        <MenuLine />
        {FILTERS.map(([label, names]) => (
          <MenuCheck key={label} checked={names.every((name) => kinds.has(name))} onChange={(on) => toggle(names, on)} count={sum(names, facets?.kinds)}>{label}</MenuCheck>
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
      <Menu align="start" trigger={<Chip name="From" value={ORIGINS.filter(([, names]) => names.every((name) => origins.has(name))).map(([label]) => label.toLowerCase()).join(", ") || null} />}>
        <MenuItem onSelect={() => set({ origins: undefined, trust: undefined })}>Anybody and anything</MenuItem>
        <MenuLine />
        {ORIGINS.map(([label, names]) => (
          <MenuCheck
            key={label} checked={names.every((name) => origins.has(name))} count={sum(names, facets?.origins)}
            onChange={(on) => set({ trust: undefined, origins: wordOf(on ? [...origins, ...names] : [...origins].filter((each) => !(names as readonly string[]).includes(each))) })}
          >{label}</MenuCheck>
        ))}
      </Menu>
      {(owners.length > 1 || search.owner !== undefined) && (
        <Menu align="start" trigger={<Chip name="Person" value={search.owner === user ? "you" : search.owner ?? null} />}>
          <MenuItem onSelect={() => set({ owner: undefined })}>Anybody</MenuItem>
          <MenuLine />
          {owners.map(([name, count]) => <MenuItem key={name} onSelect={() => set({ owner: name })}>{name === user ? "You" : name} <span className="menu-count">{count.toLocaleString("en")}</span></MenuItem>)}
        </Menu>
      )}
      <Menu align="start" trigger={<Chip name="Status" value={STATES.find(([state]) => state === search.status)?.[1].toLowerCase() ?? null} />}>
        <MenuItem onSelect={() => set({ status: undefined })}>What holds now</MenuItem>
        {STATES.filter(([state]) => !searching || state !== "deleted").map(([state, label]) => <MenuItem key={state} onSelect={() => set({ status: state })}>{label}</MenuItem>)}
      </Menu>
      <Menu align="start" trigger={<Chip name="Trust" value={[TRUST.find(([name]) => name === search.trust)?.[1].toLowerCase(), search.flagged === "no" ? "nothing flagged" : undefined].filter(Boolean).join(", ") || null} />}>
        <MenuItem onSelect={() => set({ trust: undefined })}>Whatever its source</MenuItem>
        {TRUST.map(([name, label, allowed]) => (
          <MenuItem key={name} onSelect={() => set({ trust: name, origins: undefined })}>{label} <span className="menu-count">{sum(allowed, facets?.origins).toLocaleString("en")}</span></MenuItem>
        ))}
        {searching && (
          <>
            <MenuLine />
            <MenuLabel>Texts that read like instructions to a model</MenuLabel>
            <MenuItem onSelect={() => set({ flagged: undefined })}>Show them, marked</MenuItem>
            <MenuItem onSelect={() => set({ flagged: "no" })}>Leave them out</MenuItem>
          </>
        )}
      </Menu>
      {any && (
        <button type="button" className="chip clear" onClick={() => set({ kinds: undefined, since: undefined, until: undefined, origins: undefined, owner: undefined, status: undefined, trust: undefined, flagged: undefined, asof: undefined })}>
          <X size={13} aria-hidden />Clear
        </button>
      )}
    </div>
  );
});

function Chip({ name, value, ...rest }: { name: string; value: string | null } & Record<string, unknown>) {
  const set = value !== null && value !== "";
  return (
    <button type="button" className={set ? "chip set" : "chip"} {...rest}>
      {name}{set && <>: <span className="clip">{value}</span></>}<ChevronDown size={13} aria-hidden />
    </button>
  );
}
