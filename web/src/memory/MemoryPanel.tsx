// The detail panel: one memory in full beside any list, at an address of its own (`?memory=ID`).
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { BanIcon, Check, Link2, Lock, MoreHorizontal, Pencil, Pin, PinOff, ThumbsUp, Trash2, Users, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Problem } from "@/api/client";
import type { Memory } from "@/api/types";
import { useMay } from "@/app/session";
import { useDecide } from "@/inbox/queries";
import { projectsQuery } from "@/projects/queries";
import { Button, IconButton } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { Menu, MenuItem, MenuLabel, MenuLine } from "@/ui/Menu";
import { Empty, Failed, Loading } from "@/ui/States";
import { toast } from "@/ui/toasts";
import { useKeys } from "@/ui/useKeys";
import { Deliveries } from "./Deliveries";
import { Editor } from "./Editor";
import { Facts } from "./Facts";
import { HistoryList } from "./HistoryList";
import { useKinds } from "./kinds";
import { MemoryMeta } from "./MemoryCard";
import { MemoryText } from "./MemoryText";
import { NeverDialog } from "./NeverDialog";
import { memoryQuery, refresh, useMemoryActs } from "./queries";
import { ReadFrom } from "./ReadFrom";
import { inWords } from "./reasons";
import { REFUSED, useRights } from "./rights";
import { Relations } from "./Relations";
import { titleOf } from "./who";

export function MemoryPanel({ id }: { id: string }) {
  const navigate = useNavigate();
  const ref = useRef<HTMLElement>(null);
  const found = useQuery(memoryQuery(id));
  const rights = useRights(id);
  const close = (): void => {
    const card = document.querySelector<HTMLElement>(`[data-memory="${CSS.escape(id)}"] .memory-open`);
    void navigate({ to: ".", search: (search) => ({ ...search, memory: undefined, edit: undefined }) }).then(() => card?.focus());
  };
  useKeys({ Escape: close });
  useEffect(() => {
    ref.current?.scrollTo(0, 0);
    // who opened it by keyboard goes on in it, and a screen reader says that it is there; Escape leads back
    if (document.activeElement?.matches(".memory-open:focus-visible")) ref.current?.focus();
  }, [id]);
  const missing = found.error instanceof Problem && found.error.status === 404;
  return (
    <aside ref={ref} className="panel" aria-label="Memory" tabIndex={-1}>
      {found.data && !rights.isPending ? <Detail key={id} memory={found.data} rights={rights} onClose={close} /> : (
        <>
          <header className="panel-head"><span className="grow" /><IconButton label="Close" icon={X} onClick={close} /></header>
          {missing ? <Empty title="There is no such memory"><p>It was forgotten or erased, or it is not yours to see.</p></Empty>
            : found.error ? <Failed cause={found.error} onRetry={() => void found.refetch()} /> : <Loading rows={3} label="Loading the memory" />}
        </>
      )}
    </aside>
  );
}

function Detail({ memory, rights, onClose }: { memory: Memory; rights: ReturnType<typeof useRights>; onClose: () => void }) {
  const acts = useMemoryActs();
  const may = useMay();
  const mayChange = may("write") && rights.change;
  const { edit } = useSearch({ strict: false });
  const [editing, setEditing] = useState(edit === "yes" && mayChange);
  const before = useRef<Element | null>(null);
  const startEditing = (): void => {
    before.current = document.activeElement;
    setEditing(true);
  };
  const stopEditing = (): void => {
    setEditing(false);
    // where the focus was, or at the button: without one it would be lost with the fields
    requestAnimationFrame(() => {
      const back = before.current instanceof HTMLElement && before.current !== document.body && before.current.isConnected ? before.current : null;
      (back ?? document.querySelector<HTMLElement>(".panel [aria-keyshortcuts=e]"))?.focus();
    });
  };
  const [erasing, setErasing] = useState(false);
  const [never, setNever] = useState(false);
  const queries = useQueryClient();
  const decideAll = useDecide();
  const decide = (verdict: "approve" | "reject"): Promise<void> => decideAll([{ memory, found: null }], verdict).then(() => refresh(queries, [memory.id]));
  const forget = (): void => void acts.forget(memory).then((done) => {
    if (done) onClose();
  });
  useKeys(mayChange ? {
    e: (event) => {
      event.preventDefault();
      startEditing();
    },
    p: () => void acts.pin(memory),
    Delete: forget,
  } : {});
  return (
    <>
      <header className="panel-head">
        {memory.status === "pending" ? may("review") && rights.change && (
          <>
            <Button look="primary" icon={Check} onClick={() => void decide("approve")}>{isFlagged(memory) ? "It holds after all" : "Approve"}</Button>
            <Button icon={X} onClick={() => void decide("reject")}>Reject</Button>
          </>
        ) : mayChange && (
          <>
            <Button icon={Pencil} onClick={startEditing} disabled={editing} aria-keyshortcuts="e">Edit</Button>
            <Button icon={memory.pinned ? PinOff : Pin} onClick={() => void acts.pin(memory)} aria-keyshortcuts="p">{memory.pinned ? "Unpin" : "Pin"}</Button>
            <Button icon={Trash2} onClick={forget} aria-keyshortcuts="Delete">Forget</Button>
          </>
        )}
        <span className="grow" />
        {may("write") && <MoreActs mayChange={mayChange} memory={memory} acts={acts} onEdit={startEditing} onErase={() => setErasing(true)} onNever={() => setNever(true)} />}
        <IconButton label="Close" icon={X} onClick={onClose} />
      </header>
      <div className="panel-body">
        {editing ? <Editor memory={memory} onDone={stopEditing} /> : (
          <>
            {memory.title !== null && <h2 className="panel-title">{titleOf(memory)}</h2>}
            <MemoryText memory={memory} />
          </>
        )}
        <MemoryMeta memory={memory} />
        {may("write") && rights.why !== null && <p className="hint">{REFUSED[rights.why] ?? "It cannot be changed by you."}</p>}
        {memory.stale !== null && (
          <div className="note warn">
            <p>{memory.stale}</p>
            {mayChange && <Button onClick={() => void acts.confirm(memory)}>It still holds</Button>}
          </div>
        )}
        {memory.status_reason !== null && memory.status !== "approved" && <p className="note">{inWords(memory.status_reason)}</p>}
        {memory.summary !== null && <section><h3>Summary</h3><p>{memory.summary}</p></section>}
        <ReadFrom memory={memory} />
        <Relations memory={memory} />
        <Deliveries memory={memory} />
        <HistoryList memory={memory} mayChange={mayChange} />
        <Facts memory={memory} />
      </div>
      {never && <NeverDialog id={memory.id} example={memory.text.length <= 160 ? memory.text : memory.title ?? ""} onClose={() => setNever(false)} />}
      {erasing && (
        <Confirm title="Erase this memory for good?" act="Erase for good" onClose={() => setErasing(false)} onConfirm={() => acts.erase(memory).then(onClose)}>
          <p>Every byte of its {memory.version === 1 ? "text" : `${memory.version} versions`} is erased, from search and from the record. It cannot be restored; an import of the same text will not bring it back.</p>
        </Confirm>
      )}
    </>
  );
}

/** Whether somebody marked a memory, which was approved before, as wrong or outdated. */
function isFlagged({ status_reason: reason }: Memory): boolean {
  return reason !== null && /^(flagged|wrong|outdated)\b/.test(reason);
}

/** Whether others see a memory that could be seen by its owner alone. */
function isShared({ visibility, kind }: Memory): boolean {
  return visibility !== "private" && kind !== "entity";
}

interface MoreProps {
  memory: Memory;
  mayChange: boolean;
  acts: ReturnType<typeof useMemoryActs>;
  onEdit: () => void;
  onErase: () => void;
  onNever: () => void;
}

function MoreActs({ memory, mayChange, acts, onEdit, onErase, onNever }: MoreProps) {
  const projects = useQuery(projectsQuery).data ?? [];
  const { project } = useSearch({ strict: false });
  // what was said in conversations and stands in files is not shared one by one
  const mayBeShared = useKinds().get(memory.kind)?.nature === "knowledge" && memory.status === "approved";
  const copy = (): void => {
    const link = `${location.origin}/?memory=${memory.id}${project === undefined ? "" : `&project=${encodeURIComponent(project)}`}`;
    void navigator.clipboard.writeText(link).then(() => toast("The link is copied."));
  };
  return (
    <Menu trigger={<IconButton label="More actions" icon={MoreHorizontal} />}>
      {mayChange && (
        <>
          {memory.status === "pending" && <MenuItem icon={Pencil} onSelect={onEdit}>Edit first</MenuItem>}
          <MenuItem icon={ThumbsUp} onSelect={() => void acts.feedback(memory, "helpful")}>This helped</MenuItem>
          <MenuItem onSelect={() => void acts.feedback(memory, "outdated")}>This is outdated</MenuItem>
          <MenuItem onSelect={() => void acts.feedback(memory, "wrong")}>This is wrong</MenuItem>
          <MenuLine />
        </>
      )}
      <MenuItem icon={Link2} onSelect={copy}>Copy link</MenuItem>
      {mayChange && (
        <>
          {isShared(memory) ? <MenuItem icon={Lock} onSelect={() => void acts.share(memory, "private")}>Make it private</MenuItem>
            : mayBeShared && <MenuItem icon={Users} onSelect={() => void acts.share(memory, "team")}>Share with the team</MenuItem>}
          <MenuLine />
          <MenuLabel>Move to</MenuLabel>
          {memory.project !== null && <MenuItem onSelect={() => void acts.move(memory, null)}>No project</MenuItem>}
          {projects.filter(({ name }) => name !== memory.project).slice(0, 12).map(({ name }) => (
            <MenuItem key={name} onSelect={() => void acts.move(memory, name)}>{name}</MenuItem>
          ))}
        </>
      )}
      <MenuLine />
      <MenuItem icon={BanIcon} onSelect={onNever}>Never remember this kind…</MenuItem>
      {mayChange && <MenuItem icon={Trash2} danger onSelect={onErase}>Erase for good…</MenuItem>}
    </Menu>
  );
}
