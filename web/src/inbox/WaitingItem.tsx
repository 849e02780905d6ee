// One thing that waits: what is proposed, why it waits, its evidence, and what it contradicts.
import { ConversationLink } from "@/memory/Relations";
import { Check, Eraser, X } from "lucide-react";
import type { Waiting } from "@/api/types";
import { useMay } from "@/app/session";
import { MemoryCard } from "@/memory/MemoryCard";
import { inWords } from "@/memory/reasons";
import { Button } from "@/ui/Button";
import type { Verdict } from "./queries";

interface Props {
  waiting: Waiting;
  ticked: boolean;
  opened: boolean;
  onTick: () => void;
  onDecide: (verdict: Verdict) => void;
}

const WIDER: Record<string, string> = { team: "everybody in the team", project: "everybody in the project" };

export function WaitingItem({ waiting, ticked, opened, onTick, onDecide }: Props) {
  const { memory, contradicts, asks, found } = waiting;
  const may = useMay();
  const quote = quoteOf(waiting);
  const session = typeof memory.evidence["session"] === "string" ? memory.evidence["session"] : null;
  const tick = <input type="checkbox" className="memory-tick" aria-label="Select" checked={ticked} onChange={onTick} />;
  const decide = may("review") && (
    <div className="acts">
      <Button icon={found === null ? Check : Eraser} onClick={() => onDecide("approve")}>{found !== null ? "Redact" : asks === null ? "Approve" : "Share"}</Button>
      {contradicts !== null && <Button onClick={() => onDecide("approve beside")}>Keep both</Button>}
      <Button icon={X} onClick={() => onDecide("reject")}>{found !== null ? "Leave as it is" : asks === null ? "Reject" : "Keep private"}</Button>
    </div>
  );
  return (
    <MemoryCard memory={memory} selected={opened || ticked} before={tick} after={decide}>
      <p className="reason">
        {asks === null ? inWords(waiting.why) : `${memory.owner} asks to share it with ${WIDER[asks] ?? asks}`}
        {session !== null && <>, in <ConversationLink session={session} /></>}
      </p>
      {found !== null && (
        <p className="hint">
          In {found.versions.length === 1 ? `version ${found.versions[0]}` : `versions ${found.versions.join(", ")}`}, shown as it would be
          {found.held && "; a legal hold keeps it"}
        </p>
      )}
      {quote !== null && <blockquote className="quote">{quote}</blockquote>}
      {contradicts !== null && (
        <div className="against">
          <h3>It would replace what is believed now</h3>
          <MemoryCard memory={contradicts} />
        </div>
      )}
    </MemoryCard>
  );
}

/** Returns the words that a proposal rests on, unless they only repeat it. */
function quoteOf({ memory }: Waiting): string | null {
  const { quote } = memory.evidence;
  return typeof quote === "string" && quote !== "" && !memory.text.includes(quote) ? quote : null;
}
