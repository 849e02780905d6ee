// A memory as a card of the map: title, topic, two lines, who sees it, trust, version, date.
import { titleOf, whoSaid } from "@/memory/who";
import { useSession } from "@/app/session";
import { plainText } from "@/ui/plainText";
import { Link, useSearch } from "@tanstack/react-router";
import type { Memory } from "@/api/types";
import { Badges, KindBadge } from "@/memory/Badges";
import { Trust } from "@/memory/Trust";
import { Time } from "@/ui/Time";
import { topicOf, UNCATEGORIZED } from "./queries";

export function KnowledgeCard({ memory }: { memory: Memory }) {
  const { memory: selected } = useSearch({ strict: false });
  const topic = topicOf(memory);
  const { user } = useSession();
  const who = whoSaid(memory, user ?? memory.owner);
  const said = plainText(memory.summary ?? memory.text);
  const [title, text] = memory.title === null ? [said, null] : [titleOf(memory), said];
  return (
    <article className={selected === memory.id ? "card knowledge selected" : "card knowledge"} data-memory={memory.id}>
      <Link to="." search={(search) => ({ ...search, memory: memory.id })} className="memory-open" data-step>
        <strong className={text === null ? "two-lines" : "clip"}>{title}</strong>
        {text !== null && text !== title && <span className="two-lines faint">{text}</span>}
      </Link>
      <p className="memory-meta">
        <KindBadge kind={memory.kind} />
        <span className="who" title={who.sort}><who.icon size={13} aria-hidden />{who.name}</span>
        {topic !== UNCATEGORIZED && topic !== who.name && <span className="clip">{topic}</span>}
        {memory.scope.type !== "global" && memory.scope.type !== "file" && <span className="badge" title={`Only for the ${memory.scope.type} ${memory.scope.id ?? ""}`}>{memory.scope.id ?? memory.scope.type}</span>}
        {memory.visibility !== "private" && <span className="badge" title={memory.visibility === "team" ? "Everybody in the team sees it" : "Everybody in the project sees it"}>{memory.visibility === "team" ? "Team" : "Project"}</span>}
        {memory.version > 1 && <span>v{memory.version}</span>}
        <Time at={memory.updated_at} />
        <Trust memory={memory} />
        <Badges memory={memory} />
      </p>
    </article>
  );
}
