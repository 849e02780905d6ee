// Memories by day: by when things happened, a month at a time; by when they were learned, without end; or what held on a day.
import { queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { CalendarDays, ChevronLeft, ChevronRight, MessagesSquare } from "lucide-react";
import { useMemo } from "react";
import { api, unwrap } from "@/api/client";
import { place } from "@/api/place";
import type { Memory } from "@/api/types";
import { conversationQuery } from "@/conversations/queries";
import { KNOWLEDGE } from "@/memory/kinds";
import { MemoryCard } from "@/memory/MemoryCard";
import { listQuery, withoutRules } from "@/search/queries";
import { IconButton } from "@/ui/Button";
import { Empty, Failed, Loading } from "@/ui/States";
import { counted } from "@/ui/counted";
import { once } from "@/ui/once";
import { dayText, weekdayText } from "@/ui/Time";
import { VirtualList } from "@/ui/VirtualList";

const MONTH_MAX = 1_000;
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

const monthQuery = (where: { project?: string }, month: string) => queryOptions({
  queryKey: ["memories", "month", where, month],
  queryFn: async ({ signal }) => {
    const { memories } = await unwrap(api.GET("/v1/memories", {
      params: { query: { ...where, since: shifted(month, 0), until: shifted(month, 1), limit: MONTH_MAX } }, signal,
    }));
    return withoutRules(memories).sort((a, b) => b.at.localeCompare(a.at));
  },
});

export function TimelinePage() {
  const { by, month, day, project } = useSearch({ from: "/timeline" });
  const navigate = useNavigate({ from: "/timeline" });
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
      {by === "learned" ? <Learned where={place(project)} /> : by === "held" ? <Held where={place(project)} day={on} /> : <Happened where={place(project)} month={shown} />}
    </>
  );
}

function Happened({ where, month }: { where: { project?: string }; month: string }) {
  const found = useQuery(monthQuery(where, month));
  if (found.isPending) return <Loading rows={6} />;
  if (found.error) return <Failed cause={found.error} onRetry={() => void found.refetch()} />;
  if (found.data.length === 0) {
    return <Empty title={`Nothing in ${monthName().format(new Date(`${month}-01T00:00:00Z`))}`} icon={CalendarDays}><p>Go to another month with the arrows above, or order by when things were learned.</p></Empty>;
  }
  return <Days memories={found.data} day={(memory) => memory.at} />;
}

function Learned({ where }: { where: { project?: string } }) {
  const found = useInfiniteQuery(listQuery(where));
  const memories = useMemo(() => found.data?.pages.flatMap((page) => page.memories) ?? [], [found.data]);
  if (found.isPending) return <Loading rows={6} />;
  if (found.error) return <Failed cause={found.error} onRetry={() => void found.refetch()} />;
  if (memories.length === 0) return <Empty title="Nothing was learned yet" icon={CalendarDays} />;
  return <Days memories={memories} day={(memory) => memory.recorded_at} onEnd={found.hasNextPage && !found.isFetchingNextPage ? () => void found.fetchNextPage() : undefined} />;
}

/** What was believed on a day, as it was worded then: newer versions and what was learned later are not in it. */
function Held({ where, day }: { where: { project?: string }; day: string }) {
  const found = useInfiniteQuery(listQuery({ ...where, kinds: KNOWLEDGE, as_of: `${day}T23:59:59Z` }));
  const { memory: selected } = useSearch({ strict: false });
  const memories = useMemo(() => found.data?.pages.flatMap((page) => page.memories) ?? [], [found.data]);
  if (found.isPending) return <Loading rows={6} />;
  if (found.error) return <Failed cause={found.error} onRetry={() => void found.refetch()} />;
  if (memories.length === 0) return <Empty title={`Nothing was known on ${dayText(day)}`} icon={CalendarDays}><p>Choose a later day. Messages are shown by when they were said.</p></Empty>;
  return (
    <>
      <p className="held-note" role="status">{weekdayText(day)}: {counted(memories.length, "memory")}{found.hasNextPage && " and more"}, as they were worded then.</p>
      <VirtualList
        label="What held" items={memories} estimate={80} keyOf={({ id, version }) => `${id} ${version}`}
        onEnd={found.hasNextPage && !found.isFetchingNextPage ? () => void found.fetchNextPage() : undefined}
        render={(memory) => <MemoryCard memory={memory} selected={memory.id === selected} />}
      />
    </>
  );
}

/** What is read from files has no day of its own: the time of a file says nothing about what it holds. */
const READ = new Set(["passage"]);

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
    const days = Map.groupBy(memories.filter(({ kind }) => !READ.has(kind)), (memory) => day(memory).slice(0, 10));
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
