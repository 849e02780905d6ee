// One conversation as it was, with what was taken from it beside each message.
import { counted } from "@/ui/counted";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Archive, ArchiveRestore, ArrowLeft, MoreHorizontal, Trash2 } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { api, unwrap } from "@/api/client";
import type { Memory, Session } from "@/api/types";
import { MemoryCard } from "@/memory/MemoryCard";
import { MemoryText } from "@/memory/MemoryText";
import { refresh, useMemoryActs } from "@/memory/queries";
import { whoSaid } from "@/memory/who";
import { useMay, useSession } from "@/app/session";
import { Button, IconButton } from "@/ui/Button";
import { each } from "@/ui/each";
import { Confirm } from "@/ui/Confirm";
import { Menu, MenuItem } from "@/ui/Menu";
import { Empty, Failed, Loading } from "@/ui/States";
import { Time } from "@/ui/Time";
import { toast, toastProblem } from "@/ui/toasts";
import { Badges } from "@/memory/Badges";
import { conversationQuery, learnedQuery, messagesQuery, takenFrom } from "./queries";

export function ConversationPage() {
  const { session: id } = useParams({ from: "/conversations/$session" });
  const { memory: selected } = useSearch({ strict: false });
  const conversation = useQuery(conversationQuery(id));
  const found = useInfiniteQuery(messagesQuery(id));
  const messages = useMemo(() => found.data?.pages.flatMap((page) => page.memories) ?? [], [found.data]);
  const learned = useQuery(learnedQuery(id)).data;
  const { beside, above } = useMemo(() => {
    const here = new Set(messages.map((message) => message.id));
    const at = (memory: Memory): string => takenFrom(memory) ?? "";
    return {
      beside: Map.groupBy((learned ?? []).filter((memory) => here.has(at(memory))), at),
      above: (learned ?? []).filter((memory) => !here.has(at(memory))),
    };
  }, [learned, messages]);
  const error = conversation.error ?? found.error;
  return (
    <>
      <Head session={conversation.data} learned={learned ?? NOTHING} />
      <div className="scroller">
        {error ? <Failed cause={error} onRetry={() => void found.refetch()} /> : found.isPending ? <Loading />
          : messages.length === 0 ? <Empty title="Nothing is left of this conversation" />
            : (
              <div className={beside.size > 0 ? "talk with-notes" : "talk"}>
                {above.length > 0 && (
                  <details className="learned">
                    <summary>Learned from this conversation<span className="count">{above.length}</span></summary>
                    {above.map((memory) => <MemoryCard key={memory.id} memory={memory} selected={memory.id === selected} />)}
                  </details>
                )}
                <ol className="thread" aria-label="Messages">
                  {messages.map((message) => <Message key={message.id} message={message} taken={beside.get(message.id) ?? []} />)}
                </ol>
              </div>
            )}
        {found.hasNextPage && <div className="more"><Button disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>Show more messages</Button></div>}
      </div>
    </>
  );
}

const NOTHING: Memory[] = [];

function Head({ session, learned }: { session: Session | undefined; learned: readonly Memory[] }) {
  const [also, setAlso] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const may = useMay();
  const [erasing, setErasing] = useState(false);
  const setArchived = async (id: string, archived: boolean): Promise<void> => {
    await unwrap(api.PATCH("/v1/sessions/{id}", { params: { path: { id } }, body: { archived } }));
    toast(archived ? "Archived: nothing that was said in it is recalled." : "Brought back: it is recalled again.",
      { label: "Undo", run: () => void setArchived(id, !archived).catch(toastProblem) });
    await refresh(queries);
  };
  const erase = async (): Promise<void> => {
    if (!session) return;
    const { memories } = await unwrap(api.DELETE("/v1/sessions/{id}", { params: { path: { id: session.id } } }));
    const { done, problem } = await each(also ? learned : [], ({ id }) => unwrap(api.DELETE("/v1/memories/{id}", { params: { path: { id } } })));
    if (problem !== null) toastProblem(problem);
    toast(`Erased the conversation: ${counted(memories, "message")}.${done.length > 0 ? ` Forgotten: ${counted(done.length, "memory")} learned from it.` : ""}`);
    // the list is read anew: kept, it would show for a moment what has been erased
    queries.removeQueries({ queryKey: ["sessions", "list"] });
    await navigate({ to: "/conversations", search: ({ project }) => ({ project }) });
    await refresh(queries);
  };
  return (
    <header className="page-head">
      <div className="page-title conversation-title">
        <Link to="/conversations" search={({ project }) => ({ project })} className="icon-button" aria-label="All conversations"><ArrowLeft size={16} aria-hidden /></Link>
        <h1 className="clip grow">{session?.name ?? session?.id ?? "Conversation"}</h1>
        {session && (
          <>
            <span className="memory-meta">{counted(session.messages, "message")} {session.project !== null && <span className="project-name">{session.project}</span>}{session.archived && " · archived"}</span>
            {may("write") && <Menu trigger={<IconButton label="Conversation actions" icon={MoreHorizontal} />}>
              <MenuItem icon={session.archived ? ArchiveRestore : Archive} onSelect={() => void setArchived(session.id, !session.archived).catch(toastProblem)}>
                {session.archived ? "Bring it back from the archive" : "Archive (can be undone)"}
              </MenuItem>
              <MenuItem icon={Trash2} danger onSelect={() => setErasing(true)}>Erase the conversation…</MenuItem>
            </Menu>}
          </>
        )}
      </div>
      {erasing && session && (
        <Confirm title="Erase this conversation for good?" act="Erase for good" onClose={() => setErasing(false)} onConfirm={erase}>
          <p>All of it, {counted(session.messages, "message")}, is erased, byte for byte, and cannot be restored. Importing the same export again does not bring them back.</p>
          {learned.length > 0 && <label className="tick"><input type="checkbox" checked={also} onChange={(event) => setAlso(event.target.checked)} />Also forget what was learned from it: {counted(learned.length, "memory")} (can be restored)</label>}
        </Confirm>
      )}
    </header>
  );
}

function Message({ message, taken }: { message: Memory; taken: Memory[] }) {
  const { user } = useSession();
  const may = useMay();
  const acts = useMemoryActs();
  const { memory: selected } = useSearch({ strict: false });
  const [erasing, setErasing] = useState(false);
  const who = whoSaid(message, user ?? message.owner);
  const chosen = selected === message.id;
  useEffect(() => {
    if (chosen) document.getElementById(`message-${message.id}`)?.scrollIntoView({ block: "center" });
    // only when the page is opened at this message
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    <li id={`message-${message.id}`} className={chosen ? "turn selected" : "turn"} data-memory={message.id}>
      <article className={message.role === "user" ? "said mine" : "said"} aria-label={who.name}>
        <header className="said-head">
          <who.icon size={14} aria-hidden /><strong>{who.name}</strong><Time at={message.at} /><Badges memory={message} />
          <span className="grow" />
          {may("write") && <Menu trigger={<IconButton label="Message actions" icon={MoreHorizontal} />}>
            <MenuItem onSelect={() => void acts.forget(message)}>Forget (can be undone)</MenuItem>
            <MenuItem icon={Trash2} danger onSelect={() => setErasing(true)}>Erase for good…</MenuItem>
          </Menu>}
          <Link to="." search={(search) => ({ ...search, memory: message.id })} className="said-open memory-open" data-step>Details</Link>
        </header>
        <MemoryText memory={message} />
      </article>
      {taken.length > 0 && (
        <aside className="taken" aria-label="Taken from this message">
          {taken.map((memory) => <MemoryCard key={memory.id} memory={memory} selected={memory.id === selected} />)}
        </aside>
      )}
      {erasing && (
        <Confirm title="Erase this message for good?" act="Erase for good" onClose={() => setErasing(false)} onConfirm={() => acts.erase(message)}>
          <p>Every byte of it is erased and cannot be restored; importing the same export again does not bring it back.{taken.length > 0 && ` What was learned from it (${counted(taken.length, "memory")}) stays: forget it one by one.`}</p>
        </Confirm>
      )}
    </li>
  );
}
