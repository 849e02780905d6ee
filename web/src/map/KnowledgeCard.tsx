// A memory as a card of the map: title, topic, two lines, version, date.
import { titleOf } from "@/memory/who";
import { Link, useSearch } from "@tanstack/react-router";
import type { Memory } from "@/api/types";
import { Badges, KindBadge } from "@/memory/Badges";
import { Time } from "@/ui/Time";
import { topicOf, UNCATEGORIZED } from "./queries";

export function KnowledgeCard({ memory }: { memory: Memory }) {
  const { memory: selected } = useSearch({ strict: false });
  const topic = topicOf(memory);
  const [title, text] = memory.title === null ? [memory.summary ?? memory.text, null] : [titleOf(memory), memory.summary ?? memory.text];
  return (
    <article className={selected === memory.id ? "card knowledge selected" : "card knowledge"} data-memory={memory.id}>
      <Link to="." search={(search) => ({ ...search, memory: memory.id })} className="memory-open" data-step>
        <strong className={text === null ? "two-lines" : "clip"}>{title}</strong>
        {text !== null && text !== title && <span className="two-lines faint">{text}</span>}
      </Link>
      <p className="memory-meta">
        <KindBadge kind={memory.kind} />
        {topic !== UNCATEGORIZED && <span className="clip">{topic}</span>}
        {memory.scope.type !== "global" && <span className="badge">{memory.scope.type}</span>}
        {memory.visibility !== "private" && <span className="badge">{memory.visibility === "team" ? "Team" : "Project"}</span>}
        {memory.version > 1 && <span>v{memory.version}</span>}
        <Time at={memory.updated_at} />
        <Badges memory={memory} />
      </p>
    </article>
  );
}
