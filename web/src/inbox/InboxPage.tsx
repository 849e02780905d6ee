// What waits for a person: proposals, conflicts, shares. By keyboard first, one by one or many at once, with undo.
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Check, Inbox, X } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import type { Memory } from "@/api/types";
import { useMay, useSession } from "@/app/session";
import { place } from "@/api/place";
import { refresh } from "@/memory/queries";
import { whoSaid } from "@/memory/who";
import { Button } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { Empty, Failed, Loading } from "@/ui/States";
import { toastProblem } from "@/ui/toasts";
import { SelectBar } from "@/ui/SelectBar";
import { focusedRow, focusRow, useSelection } from "@/ui/selection";
import { useKeys } from "@/ui/useKeys";
import { VirtualList } from "@/ui/VirtualList";
import { inboxQuery, keyOf, useDecide, type Undo, type Verdict } from "./queries";
import { WaitingItem } from "./WaitingItem";

export function InboxPage() {
  const { project, memory: opened } = useSearch({ from: "/inbox" });
  const navigate = useNavigate();
  const may = useMay();
  const { user } = useSession();
  const found = useInfiniteQuery(inboxQuery(place(project)));
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const undos = useRef<Promise<Undo | null>[]>([]);
  const queries = useQueryClient();
  const decideAll = useDecide();
  const [from, setFrom] = useState<string | null>(null);
  const waiting = useMemo(
    () => (found.data?.pages.flatMap((page) => page.items) ?? []).filter((one) => !decided.has(keyOf(one))),
    [found.data, decided],
  );
  const proposers = useMemo(() => [...Map.groupBy(waiting, ({ memory }) => proposer(memory, user))].sort(([, a], [, b]) => b.length - a.length), [waiting, user]);
  const shown = proposers.some(([name]) => name === from) ? from : null;
  const items = useMemo(() => shown === null ? waiting : waiting.filter(({ memory }) => proposer(memory, user) === shown), [waiting, shown, user]);
  const selection = useSelection(useMemo(() => items.map(keyOf), [items]));
  const { chosen } = selection;

  const [asked, setAsked] = useState<{ keys: string[]; verdict: Verdict } | null>(null);

  /** Decides, and asks before what cannot be taken back: what a scan found is erased for good. */
  const decide = async (keys: string[], verdict: Verdict): Promise<void> => {
    if (keys.length === 0 || !may("review")) return;
    if (verdict !== "reject" && keys.some((key) => items.some((one) => keyOf(one) === key && one.found !== null))) setAsked({ keys, verdict });
    else await decideNow(keys, verdict);
  };
  const decideNow = async (keys: string[], verdict: Verdict): Promise<void> => {
    const at = items.findIndex((one) => keyOf(one) === keys[0]);
    const meant = items.filter((one) => keys.includes(keyOf(one)));
    setDecided((before) => new Set([...before, ...keys]));
    selection.setAll(false);
    if (opened !== undefined && meant.some(({ memory }) => memory.id === opened)) void navigate({ to: ".", search: (search) => ({ ...search, memory: undefined }) });
    const next = items.filter((one) => !keys.includes(keyOf(one)))[Math.min(at, items.length - keys.length - 1)]
      ?? waiting.find((one) => !keys.includes(keyOf(one)));
    focusRow(next && keyOf(next));
    const done = decideAll(meant, verdict);
    undos.current.push(done);
    await done;
    await refresh(queries);
    setDecided((before) => new Set([...before].filter((key) => !keys.includes(key))));
  };
  const takeBack = async (): Promise<void> => {
    for (let last = undos.current.pop(); last; last = undos.current.pop()) {
      const undo = await last;
      if (undo) return undo();
    }
  };
  const meant = (): string[] => {
    if (chosen.length > 0) return chosen;
    const first = items.find(({ memory }) => memory.id === opened) ?? items[0];
    const key = focusedRow() ?? (first && keyOf(first));
    return key === undefined ? [] : [key];
  };
  useKeys({
    a: () => void decide(meant(), "approve"),
    r: () => void decide(meant(), "reject"),
    b: () => void decide(meant(), "approve beside"),
    x: () => meant().slice(0, 1).forEach((first) => selection.toggle(focusedRow() ?? first)),
    J: () => selection.extend(1),
    K: () => selection.extend(-1),
    u: () => void takeBack().catch(toastProblem),
  });
  return (
    <>
      <header className="page-head">
        <div className="page-title">
          <h1>Inbox</h1>
          <p className="grow">{waiting.length > 0 && `${waiting.length}${found.hasNextPage ? "+" : ""} wait for you`}</p>
          {items.length > 0 && may("review") && <span className="hint keys-hint"><kbd>j</kbd> <kbd>k</kbd> move <kbd>a</kbd> approve <kbd>r</kbd> reject <kbd>b</kbd> keep both <kbd>x</kbd> select <kbd>u</kbd> undo</span>}
        </div>
        {items.length > 0 && may("review") && (
          <SelectBar selection={selection} count={items.length} label="Decide about the selected">
            <Button icon={Check} disabled={chosen.length === 0} onClick={() => void decide(chosen, "approve")}>Approve selected</Button>
            <Button icon={X} disabled={chosen.length === 0} onClick={() => void decide(chosen, "reject")}>Reject selected</Button>
            {proposers.length > 1 && (
              <div className="filters" role="group" aria-label="Proposed by">
                <span className="hint">From</span>
                {proposers.slice(0, 8).map(([name, inside]) => (
                  <button key={name} type="button" className={shown === name ? "chip set" : "chip"} aria-pressed={shown === name} onClick={() => {
                    setFrom(shown === name ? null : name);
                    selection.setAll(false);
                  }}><span className="clip">{name}</span><span className="tab-count">{inside.length}</span></button>
                ))}
              </div>
            )}
          </SelectBar>
        )}
      </header>
      {found.isPending ? <Loading rows={6} />
        : found.error ? <Failed cause={found.error} onRetry={() => void found.refetch()} />
          : items.length === 0 ? (
            <Empty title="Nothing waits for you" icon={Inbox}>
              <p>What agents, tools and imports propose, and what contradicts something you said, waits here until you decide.</p>
            </Empty>
          ) : (
            <VirtualList
              label="Waiting" items={items} estimate={130} keyOf={keyOf}
              onEnd={found.hasNextPage && !found.isFetchingNextPage ? () => void found.fetchNextPage() : undefined}
              render={(waiting) => (
                <WaitingItem
                  waiting={waiting} ticked={selection.has(keyOf(waiting))} opened={opened === waiting.memory.id}
                  onTick={() => selection.toggle(keyOf(waiting))} onDecide={(verdict) => void decide([keyOf(waiting)], verdict)}
                />
              )}
            />
          )}
      {asked !== null && (
        <Confirm title="Redact for good?" act="Redact" onClose={() => setAsked(null)} onConfirm={() => decideNow(asked.keys, asked.verdict)}>
          <p>What the scan found is erased from every version, and cannot be brought back. The rest of the text stays.</p>
        </Confirm>
      )}
    </>
  );
}

/** Returns who proposed a memory: an agent, a person, or the file that it was read from. */
function proposer(memory: Memory, me: string | null): string {
  return whoSaid(memory, me ?? memory.owner).name;
}
