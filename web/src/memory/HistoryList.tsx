// Every change of a memory, newest first, as differences.
import { useQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import type { Change, Memory } from "@/api/types";
import { useSession } from "@/app/session";
import { Button } from "@/ui/Button";
import { Failed, Loading } from "@/ui/States";
import { Time } from "@/ui/Time";
import { toast, toastProblem } from "@/ui/toasts";
import { Difference } from "./Difference";
import { historyQuery, useMemoryActs } from "./queries";
import { actorName } from "./who";

const ACTS: Record<string, string> = {
  remember: "remembered it", revise: "changed it", pin: "pinned it", unpin: "unpinned it", forget: "forgot it",
  restore: "restored it", approve: "approved it", hold: "let it wait for review", reject: "rejected it", import: "imported it", move: "moved it",
  remember_batch: "brought it in", extract: "found it in what was said", merge: "said it again", supersede: "replaced it", confirm: "confirmed that it still holds",
  feedback: "said whether it helped", wrong: "marked it as wrong", ask_to_share: "asked to share it", withdraw_sharing: "no longer asks to share it",
  decline_sharing: "declined to share it", promote: "shared it", separate: "kept it apart", redact: "blacked it out", clean: "took secrets out of it", corrected: "corrected it",
};

export function HistoryList({ memory, mayChange }: { memory: Memory; mayChange: boolean }) {
  const found = useQuery(historyQuery(memory.id));
  const { user } = useSession();
  const acts = useMemoryActs();
  const changes = found.data ?? [];
  const bringBack = (text: string): Promise<void> => acts.revise(memory, { text }).then(() => toast("The older text is back."), toastProblem);
  return (
    <details className="section" open={memory.version > 1}>
      <summary>History{changes.length > 0 && <span className="count">{changes.length}</span>}</summary>
      {found.isPending && <Loading rows={1} label="Loading the history" />}
      {found.error && <Failed cause={found.error} />}
      <ol className="history">
        {changes.map((change, index) => ({ change, before: textBefore(changes, index) })).reverse().map(({ change, before }) => (
          <li key={change.sequence}>
            <p className="history-line">
              <strong>{actorName(change.actor, user ?? memory.owner)}</strong> {ACTS[change.action] ?? change.action.replaceAll("_", " ")} <Time at={change.at} />
              {change.version !== null && <span className="faint">version {change.version}</span>}
            </p>
            {change.text !== null && before !== null && before !== change.text && <Difference before={before} after={change.text} />}
            {change.text !== null && change.text !== memory.text && memory.deleted_at === null && mayChange && (
              <Button look="quiet" icon={Undo2} onClick={() => void bringBack(change.text ?? "")}>Bring this text back</Button>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}

function textBefore(changes: Change[], index: number): string | null {
  return changes.slice(0, index).findLast((change) => change.text !== null)?.text ?? null;
}
