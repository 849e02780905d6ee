// The fields of a memory: times, visibility, trust, tags, metadata.
import type { ReactNode } from "react";
import type { Memory } from "@/api/types";
import { Time } from "@/ui/Time";
import { percentOf } from "./sure";

const SEEN_BY: Record<Memory["visibility"], string> = {
  private: "Only its owner", team: "Everybody in the team", project: "Everybody in the project",
};
const HIDDEN = new Set(["file", "contentHash", "previousSummaries"]);

export function Facts({ memory }: { memory: Memory }) {
  const rows: [string, ReactNode][] = [
    ["Seen by", SEEN_BY[memory.visibility]],
    ["Owner", memory.owner],
    ["Recorded by", memory.created_by],
    ["Happened", <Time key="at" at={memory.at} />],
    ["Learned", <Time key="recorded" at={memory.recorded_at} />],
    ["Changed", <Time key="updated" at={memory.updated_at} />],
    ["Confidence", `${percentOf(memory.confidence)}% (${memory.strength})`],
    ["Used", memory.use_count === 0 ? "Never" : <>{memory.use_count} times{memory.last_used_at !== null && <>, last <Time at={memory.last_used_at} /></>}</>],
  ];
  if (memory.valid_from !== null) rows.push(["Holds from", <Time key="from" at={memory.valid_from} />]);
  if (memory.valid_until !== null) rows.push(["Holds until", <Time key="until" at={memory.valid_until} />]);
  if (memory.expires_at !== null) rows.push(["Leaves recall", <Time key="expires" at={memory.expires_at} />]);
  if (memory.scope.type !== "global") rows.push(["Scope", `${memory.scope.type} ${memory.scope.id ?? ""}`]);
  if (memory.branch !== null) rows.push(["Branch", memory.branch]);
  if (memory.workspace !== null) rows.push(["Workspace", memory.workspace]);
  if (memory.tags.length > 0) rows.push(["Tags", memory.tags.join(", ")]);
  if (memory.redactions.length > 0) rows.push(["Taken out", memory.redactions.join(", ")]);
  if (memory.external_id !== null) rows.push(["Your id", <code key="external">{memory.external_id}</code>]);
  for (const [name, value] of Object.entries(memory.metadata)) {
    if (!HIDDEN.has(name)) rows.push([name, typeof value === "string" ? value : JSON.stringify(value)]);
  }
  rows.push(["Version", memory.version], ["Id", <code key="id" className="id">{memory.id}</code>]);
  return (
    <details className="section">
      <summary>Details</summary>
      <dl className="facts">
        {rows.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
      </dl>
    </details>
  );
}
