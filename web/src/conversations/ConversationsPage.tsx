// All conversations of a place, last changed first.
import { counted } from "@/ui/counted";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Archive, ArchiveRestore, MessagesSquare, Trash2 } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { api, unwrap } from "@/api/client";
import { OUTSIDE } from "@/api/place";
import type { Session } from "@/api/types";
import { useMay } from "@/app/session";
import { refresh } from "@/memory/queries";
import { useSelecting } from "@/search/selecting";
import { Button } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { CopyLine } from "@/ui/Copy";
import { each } from "@/ui/each";
import { SelectBar, Tick } from "@/ui/SelectBar";
import type { Selection } from "@/ui/selection";
import { Empty, Failed, Loading } from "@/ui/States";
import { Time } from "@/ui/Time";
import { toast, toastProblem } from "@/ui/toasts";
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
  const may = useMay();
  const [selecting, setSelecting] = useState(false);
  const selection = useSelecting(useMemo(() => sessions.map(({ id }) => id), [sessions]), { selecting, onSelecting: setSelecting });
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
          {may("write") && <button type="button" className="chip" aria-pressed={selecting} onClick={() => setSelecting(!selecting)}>Select</button>}
          <button
            type="button" className="chip" aria-pressed={archived === "yes"}
            onClick={() => void navigate({ search: (before) => ({ ...before, archived: archived === "yes" ? undefined : "yes" }) })}
          >Archived</button>
          <input className="narrow" type="search" aria-label="Filter by title" placeholder="Filter by title" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </div>
        {selecting && <Selected sessions={sessions} archived={archived === "yes"} selection={selection} onDone={() => setSelecting(false)} />}
      </header>
      {found.isPending ? <Loading rows={8} />
        : found.error ? <Failed cause={found.error} onRetry={() => void found.refetch()} />
          : sessions.length === 0 && filtered && hasNextPage ? <Loading rows={3} label="Looking through older conversations" />
          : sessions.length === 0 ? (
            <Empty title={typed !== "" ? "No title fits" : archived === "yes" ? "No conversation is archived" : project === undefined ? "No conversations yet" : `No conversations ${project === OUTSIDE ? "outside projects" : `in ${project}`}`} icon={MessagesSquare}>
              {typed !== "" && <><p>A title is looked for here. What was said is found by search:</p><Link to="/" search={{ q: typed, kinds: "message,episode", ...(project !== undefined && { project }) }} className="button">Search in what was said</Link></>}
              {typed === "" && archived === "yes" && <p>An archived conversation is kept, but nothing that was said in it is recalled. Archive one from its menu, or several with “Select”.</p>}
              {typed === "" && archived !== "yes" && (
                <>
                  {project !== undefined && <Link to="/conversations" search={{ project: undefined }} className="button">Look at all projects</Link>}
                  <p>Bring in the chats of another program{may("imports") && <>: <Link to="/sources" search={{ project }}>choose a file</Link></>}, or</p>
                  <CopyLine text="holdfast import export.zip" />
                </>
              )}
            </Empty>
          ) : (
            <VirtualList
              label="Conversations" items={sessions} estimate={58} keyOf={({ id }) => id} render={(session) => (
                <div className={selection.has(session.id) && selecting ? "pick chosen" : "pick"}>
                  {selecting && <Tick selection={selection} id={session.id} label={session.name ?? session.id} />}
                  <Row session={session} />
                </div>
              )}
              onEnd={found.hasNextPage && !found.isFetchingNextPage ? () => void found.fetchNextPage() : undefined}
            />
          )}
    </>
  );
}

interface SelectedProps {
  sessions: Session[];
  archived: boolean;
  selection: Selection;
  onDone: () => void;
}

/** What can be done with several conversations: archiving can be undone, erasing asks first. */
function Selected({ sessions, archived, selection, onDone }: SelectedProps) {
  const queries = useQueryClient();
  const [erasing, setErasing] = useState(false);
  const { chosen } = selection;
  const ticked = new Set(chosen);
  const messages = sessions.reduce((sum, session) => sum + (ticked.has(session.id) ? session.messages : 0), 0);
  const path = (id: string) => ({ params: { path: { id } } });
  const setArchived = async (ids: readonly string[], to: boolean, undo: boolean): Promise<void> => {
    const { done, problem } = await each(ids, (id) => unwrap(api.PATCH("/v1/sessions/{id}", { ...path(id), body: { archived: to } })));
    if (problem !== null) toastProblem(problem);
    if (done.length > 0) {
      toast(`${to ? "Archived, and no longer recalled" : "Brought back"}: ${counted(done.length, "conversation")}.`,
        undo ? { label: "Undo", run: () => void setArchived(done, !to, false).catch(toastProblem) } : undefined);
    }
    await refresh(queries);
  };
  const erase = async (): Promise<void> => {
    selection.setAll(false);
    const { done, problem } = await each(chosen, (id) => unwrap(api.DELETE("/v1/sessions/{id}", path(id))));
    if (problem !== null) toastProblem(problem);
    if (done.length > 0) toast(`Erased for good: ${counted(done.length, "conversation")}.`);
    await refresh(queries);
  };
  return (
    <SelectBar selection={selection} count={sessions.length} label="Selected conversations">
      <Button icon={archived ? ArchiveRestore : Archive} disabled={chosen.length === 0} onClick={() => {
        selection.setAll(false);
        void setArchived(chosen, !archived, true).catch(toastProblem);
      }}>{archived ? "Bring back" : "Archive"}</Button>
      <Button icon={Trash2} disabled={chosen.length === 0} onClick={() => setErasing(true)}>Erase…</Button>
      <span className="grow" />
      <Button look="quiet" onClick={onDone}>Done</Button>
      {erasing && (
        <Confirm title={`Erase ${counted(chosen.length, "conversation")} for good?`} act="Erase for good" onClose={() => setErasing(false)} onConfirm={erase}>
          <p>{counted(messages, "message")} are erased, byte for byte, and cannot be restored. Importing the same export again does not bring them back. Memories that were taken from them stay.</p>
        </Confirm>
      )}
    </SelectBar>
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
