// The marks of a memory: kind, state, trust, freshness.
import { Flag, History, Pin, ShieldAlert } from "lucide-react";
import type { Memory } from "@/api/types";
import { counted } from "@/ui/counted";
import { familyOf, labelOf, useKinds } from "./kinds";
import { inWords } from "./reasons";

export function KindBadge({ kind }: { kind: string }) {
  const kinds = useKinds();
  return <span className={`kind family-${familyOf(kind)}`} title={kinds.get(kind)?.meaning}>{labelOf(kinds, kind)}</span>;
}

const STATES: Partial<Record<Memory["status"], string>> = {
  pending: "Waiting", rejected: "Rejected", superseded: "Replaced",
};

/** Badges of memories that were of use; what is new or hardly used has none. */
const PROVED: Partial<Record<string, string>> = { strong: "Strong", proven: "Proven" };

export function Badges({ memory }: { memory: Memory }) {
  const state = memory.deleted_at === null ? STATES[memory.status] : "Forgotten";
  return (
    <>
      {memory.pinned && <span className="badge" title="Pinned: never fades or gives way"><Pin size={12} aria-hidden />Pinned</span>}
      {state !== undefined && <span className={`badge state-${memory.status}`} title={memory.status_reason === null ? undefined : inWords(memory.status_reason)}>{state}</span>}
      {memory.flags.length > 0 && (
        <span className="badge warn" title={`Reads like instructions to a model: ${memory.flags.join(", ")}`}>
          <Flag size={12} aria-hidden />Flagged
        </span>
      )}
      {memory.pii_risk >= 2 && <span className="badge warn" title="Holds personal data"><ShieldAlert size={12} aria-hidden />Personal</span>}
      {memory.stale !== null && <span className="badge warn" title={memory.stale}><History size={12} aria-hidden />Stale</span>}
      {memory.stale === null && PROVED[memory.strength] !== undefined && <span className="badge good" title={`Used ${counted(memory.use_count, "time")}`}>{PROVED[memory.strength]}</span>}
    </>
  );
}
