// Memories by day: by when things happened, a month at a time; by when they were learned, without end; or what held on a day.
import { queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { CalendarDays, ChevronLeft, ChevronRight, MessagesSquare } from "lucide-react";
import { useMemo } from "react";
import { api, unwrap } from "@/api/client";
import { OUTSIDE, place } from "@/api/place";
import type { components } from "@/api/schema";
import type { Memory } from "@/api/types";
import { conversationQuery } from "@/conversations/queries";
import { KNOWLEDGE, useKinds } from "@/memory/kinds";
import { MemoryCard } from "@/memory/MemoryCard";
import { percentOf } from "@/memory/sure";
import { listQuery } from "@/search/queries";
import { IconButton } from "@/ui/Button";
import { Empty, Failed, Loading } from "@/ui/States";
import { counted } from "@/ui/counted";
import { once } from "@/ui/once";
import { dayText, Time, weekdayText } from "@/ui/Time";
import { VirtualList } from "@/ui/VirtualList";

const PAGE = 1_000;
/** Most pages of a month: what was stored before them is not shown, and the page says so. */
const PAGES_MAX = 10;
type Belief = components["schemas"]["Belief"];

const monthName = once(() => new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" }));

/** Returns the first day of a month as `2026-11-01`, `by` months later. */
function shifted(month: string, by: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + by);
  return date.toISOString().slice(0, 10);
}

/** Returns a day `by` days later. */
function dayShifted(day: string, by: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10);
}

interface Where {
  project?: string;
  kinds: string[];
}

/** A month as a whole: the service lists by when things were stored, and a month is ordered by when they happened. */
const monthQuery = (where: Where, month: string) => queryOptions({
  queryKey: ["memories", "month", where, month],
  queryFn: async ({ signal }) => {
    const memories: Memory[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < PAGES_MAX && (page === 0 || cursor !== null); page += 1) {
      const found: { memories: Memory[]; cursor: string | null } = await unwrap(api.GET("/v1/memories", {
        params: { query: { ...where, since: shifted(month, 0), until: shifted(month, 1), limit: PAGE, ...(cursor !== null && { cursor }) } }, signal,
      }));
      memories.push(...found.memories);
      cursor = found.cursor;
    }
    return { memories: memories.sort((a, b) => b.at.localeCompare(a.at)), isCut: cursor !== null };
  },
  enabled: where.kinds.length > 0,
});

export function TimelinePage() {
  const { by, month, day, project } = useSearch({ from: "/timeline" });
  const navigate = useNavigate({ from: "/timeline" });
  const kinds = useKinds();
  const where = useMemo(() => ({ ...place(project), kinds: [...kinds.keys()].filter((kind) => !UNDATED.has(kind)) }), [project, kinds]);
  const shown = month !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : new Date().toISOString().slice(0, 7);
  const on = day !== undefined && /^\d{4}-\d\d-\d\d$/.test(day) ? day : new Date().toISOString().slice(0, 10);
  const set = (change: { by?: string | undefined; month?: string | undefined; day?: string | undefined }): void => void navigate({ search: (before) => ({ ...before, ...change }) });
  return (
    <>
      <header className="page-head">
        <div className="page-title">
          <h1>Timeline</h1>
          <div className="tabs grow" role="group" aria-label="Order by">
            <button type="button" className="tab" aria-pressed={by !== "learned" && by !== "held"} onClick={() => set({ by: undefined })}>When it happened</button>
            <button type="button" className="tab" aria-pressed={by === "learned"} onClick={() => set({ by: "learned" })}>When it was learned</button>
            <button type="button" className="tab" aria-pressed={by === "held"} onClick={() => set({ by: "held" })}>What held on a day</button>
          </div>
          {by === "held" && (
            <div className="row">
              <IconButton label="Day before" icon={ChevronLeft} onClick={() => set({ day: dayShifted(on, -1) })} />
              <label className="inline"><input type="date" value={on} aria-label="Day" onChange={(event) => set({ day: event.target.value || undefined })} /></label>
              <IconButton label="Day after" icon={ChevronRight} onClick={() => set({ day: dayShifted(on, 1) })} />
            </div>
          )}
          {by !== "learned" && by !== "held" && (
            <div className="row">
              <IconButton label="Month before" icon={ChevronLeft} onClick={() => set({ month: shifted(shown, -1).slice(0, 7) })} />
              <label className="inline"><span className="unseen">Month</span><input type="month" value={shown} aria-label="Month" onChange={(event) => set({ month: event.target.value || undefined })} /></label>
              <IconButton label="Month after" icon={ChevronRight} onClick={() => set({ month: shifted(shown, 1).slice(0, 7) })} />
            </div>
          )}
        </div>
      </header>
      {by === "learned" ? <Learned where={where} /> : by === "held" ? <Held project={project} day={on} /> : <Happened where={where} month={shown} />}
    </>
  );
}

function Happened({ where, month }: { where: Where; month: string }) {
  const found = useQuery(monthQuery(where, month));
  if (found.isPending) return <Loading rows={6} />;
  if (found.error) return <Failed cause={found.error} onRetry={() => void found.refetch()} />;
  const { memories, isCut } = found.data;
  if (memories.length === 0) {
    return <Empty title={`Nothing in ${monthName().format(new Date(`${month}-01T00:00:00Z`))}`} icon={CalendarDays}><p>Go to another month with the arrows above, or order by when things were learned.</p></Empty>;
  }
  return (
    <>
      {isCut && <p className="note" role="status">More than {counted(memories.length, "memory")} are of this month: those that were stored first are found by search.</p>}
      <Days memories={memories} day={(memory) => memory.at} />
    </>
  );
}

function Learned({ where }: { where: Where }) {
  const found = useInfiniteQuery({ ...listQuery(where), enabled: where.kinds.length > 0 });
  const memories = useMemo(() => found.data?.pages.flatMap((page) => page.memories) ?? [], [found.data]);
  if (found.isPending) return <Loading rows={6} />;
  if (found.error) return <Failed cause={found.error} onRetry={() => void found.refetch()} />;
  if (memories.length === 0) return <Empty title="Nothing was learned yet" icon={CalendarDays} />;
  return <Days memories={memories} day={(memory) => memory.recorded_at} onEnd={found.hasNextPage && !found.isFetchingNextPage ? () => void found.fetchNextPage() : undefined} />;
}

/** What is believed of the user on a day, from what they had said until then. */
const believedQuery = (project: string | undefined, at: string) => queryOptions({
  queryKey: ["about", "held", project, at],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/about", {
    params: { query: { as_of: at, ...(project !== undefined && project !== OUTSIDE && { project }) } }, signal,
  }))).groups,
});

/** What was believed and known on a day, as it was worded then: newer versions and what was learned later are not in it. */
function Held({ project, day }: { project: string | undefined; day: string }) {
  const at = `${day}T23:59:59Z`;
  const found = useInfiniteQuery(listQuery({ ...place(project), kinds: KNOWLEDGE, as_of: at }));
  const believed = useQuery(believedQuery(project, at));
  const { memory: selected } = useSearch({ strict: false });
  const memories = useMemo(() => found.data?.pages.flatMap((page) => page.memories) ?? [], [found.data]);
  if (found.isPending) return <Loading rows={6} />;
  if (found.error) return <Failed cause={found.error} onRetry={() => void found.refetch()} />;
  const known = new Set(memories.map(({ id }) => id));
  const beliefs = believed.data?.flatMap(({ title, beliefs: inside }) => inside.filter(({ id }) => !known.has(id)).map((belief) => ({ title, belief }))) ?? [];
  if (believed.error) return <Failed cause={believed.error} onRetry={() => void believed.refetch()} />;
  if (believed.isPending) return <Loading rows={6} />;
  if (memories.length + beliefs.length === 0) return <Empty title={`Nothing was known on ${dayText(day)}`} icon={CalendarDays}><p>Choose a later day. Messages are shown by when they were said.</p></Empty>;
  return (
    <>
      <p className="held-note" role="status">{weekdayText(day)}: {beliefs.length > 0 && <>{beliefs.length} {beliefs.length === 1 ? "thing" : "things"} believed of you, </>}{counted(memories.length, "memory")}{found.hasNextPage && " and more"}, as they were worded then.</p>
      <VirtualList
        label="What held" items={[...beliefs, ...memories]} estimate={80} keyOf={(item) => "belief" in item ? `${item.belief.id} ${item.belief.attribute} ${item.belief.value}` : `${item.id} ${item.version}`}
        onEnd={found.hasNextPage && !found.isFetchingNextPage ? () => void found.fetchNextPage() : undefined}
        render={(item) => "belief" in item ? <Believed group={item.title} belief={item.belief} selected={item.belief.id === selected} /> : <MemoryCard memory={item} selected={item.id === selected} />}
      />
    </>
  );
}

function Believed({ group, belief, selected }: { group: string; belief: Belief; selected: boolean }) {
  return (
    <article className={selected ? "memory selected" : "memory"} data-memory={belief.id}>
      <div className="memory-main">
        <Link to="." search={(search) => ({ ...search, memory: belief.id })} className="memory-open" data-step><span className="memory-text">{belief.text}</span></Link>
        <p className="memory-meta"><span className="kind family-person">{group}</span><span>said <Time at={belief.at} /></span><span>{percentOf(belief.confidence)}% sure</span></p>
      </div>
    </article>
  );
}

/** What is read from files has no day of its own: the time of a file says nothing about what it holds. Rules are settings. */
const UNDATED = new Set(["passage", "exclusion"]);

type Row = { key: string; day: string; count: number } | { key: string; memory: Memory } | { key: string; session: string; messages: Memory[] };

/** Returns the rows of a day: messages of one conversation are one row. */
function rowsOf(date: string, memories: Memory[]): Row[] {
  const talks = new Map<string, Memory[]>();
  const rows: Row[] = [];
  for (const memory of memories) {
    if (memory.session === null || memory.kind !== "message") {
      rows.push({ key: memory.id, memory });
      continue;
    }
    const known = talks.get(memory.session);
    if (known) known.push(memory);
    else {
      const messages = [memory];
      talks.set(memory.session, messages);
      rows.push({ key: `${date} ${memory.session}`, session: memory.session, messages });
    }
  }
  return [{ key: date, day: date, count: memories.length }, ...rows];
}

function Talk({ session, messages }: { session: string; messages: Memory[] }) {
  const { data } = useQuery({ ...conversationQuery(session), retry: false });
  const first = messages.at(-1);
  return (
    <article className="memory" data-memory={first?.id}>
      <div className="memory-main">
        <Link to="/conversations/$session" params={{ session }} search={({ project }) => ({ project, memory: undefined })} className="memory-open" data-step>
          <strong className="memory-title">{data?.name ?? session}</strong>
          <span className="memory-text one-line">{first?.text}</span>
        </Link>
        <p className="memory-meta"><MessagesSquare size={13} aria-hidden /><span>{counted(messages.length, "message")}</span>{first?.project != null && <span className="project-name">{first.project}</span>}</p>
      </div>
    </article>
  );
}

function Days({ memories, day, onEnd }: { memories: Memory[]; day: (memory: Memory) => string; onEnd?: (() => void) | undefined }) {
  const { memory: selected } = useSearch({ strict: false });
  const rows = useMemo(() => {
    const days = Map.groupBy(memories, (memory) => day(memory).slice(0, 10));
    return [...days].flatMap(([date, inside]) => rowsOf(date, inside));
  }, [memories, day]);
  return (
    <VirtualList
      label="Timeline" items={rows} estimate={80} keyOf={({ key }) => key} onEnd={onEnd}
      render={(row) => "memory" in row ? <MemoryCard memory={row.memory} selected={row.memory.id === selected} />
        : "messages" in row ? <Talk session={row.session} messages={row.messages} />
        : <h2 className="day">{weekdayText(row.day)}<span className="count">{row.count}</span></h2>}
    />
  );
}
