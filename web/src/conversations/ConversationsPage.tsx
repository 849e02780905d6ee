// All conversations of a place, last changed first.
import { counted } from "@/ui/counted";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { MessagesSquare } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { OUTSIDE } from "@/api/place";
import type { Session } from "@/api/types";
import { CopyLine } from "@/ui/Copy";
import { Empty, Failed, Loading } from "@/ui/States";
import { Time } from "@/ui/Time";
import { VirtualList } from "@/ui/VirtualList";
import { sessionsQuery } from "./queries";

export function ConversationsPage() {
  const { project, archived } = useSearch({ from: "/conversations" });
  const navigate = useNavigate({ from: "/conversations" });
  const found = useInfiniteQuery(sessionsQuery(project === OUTSIDE ? undefined : project, archived === "yes"));
  const [typed, setTyped] = useState("");
  const sessions = useMemo(() => {
    const words = typed.toLowerCase().trim();
    return (found.data?.pages.flatMap((page) => page.sessions) ?? []).filter((session) =>
      (project !== OUTSIDE || session.project === null) && (session.name ?? session.id).toLowerCase().includes(words));
  }, [found.data, typed, project]);
  // titles are compared here, so what is filtered by them is fetched to its end
  const filtered = typed.trim() !== "" || project === OUTSIDE;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = found;
  useEffect(() => {
    if (filtered && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [filtered, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <>
      <header className="page-head">
        <div className="page-title">
          <h1>Conversations</h1>
          <p className="grow" role="status">{found.data && !hasNextPage && sessions.length > 0 && counted(sessions.length, "conversation")}</p>
          <button
            type="button" className="tab" aria-pressed={archived === "yes"}
            onClick={() => void navigate({ search: (before) => ({ ...before, archived: archived === "yes" ? undefined : "yes" }) })}
          >Archived</button>
          <input className="narrow" type="search" aria-label="Filter by title" placeholder="Filter by title" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </div>
      </header>
      {found.isPending ? <Loading rows={8} />
        : found.error ? <Failed cause={found.error} onRetry={() => void found.refetch()} />
          : sessions.length === 0 && filtered && hasNextPage ? <Loading rows={3} label="Looking through older conversations" />
          : sessions.length === 0 ? (
            <Empty title={typed !== "" ? "No title fits" : archived === "yes" ? "No conversation is archived" : "No conversations yet"} icon={MessagesSquare}>
              {typed !== "" && <><p>A title is looked for here. What was said is found by search:</p><Link to="/" search={{ q: typed, kinds: "message,episode", ...(project !== undefined && { project }) }} className="button">Search in what was said</Link></>}
              {typed === "" && archived !== "yes" && <><p>Bring in the chats of another program:</p><CopyLine text="holdfast import export.zip" /></>}
            </Empty>
          ) : (
            <VirtualList
              label="Conversations" items={sessions} estimate={58} keyOf={({ id }) => id} render={(session) => <Row session={session} />}
              onEnd={found.hasNextPage && !found.isFetchingNextPage ? () => void found.fetchNextPage() : undefined}
            />
          )}
    </>
  );
}

function Row({ session }: { session: Session }) {
  return (
    <Link to="/conversations/$session" params={{ session: session.id }} search={({ project }) => ({ project })} className="line" data-step>
      <span className="line-main">
        <strong className="clip">{session.name ?? session.id}</strong>
        <span className="memory-meta">
          <span>{counted(session.messages, "message")}</span>
          {session.project !== null && <span className="project-name">{session.project}</span>}
        </span>
      </span>
      <Time at={session.updated_at} label="Changed" />
    </Link>
  );
}
