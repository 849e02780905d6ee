// One memory in a list: its text, kind, who said it, when, trust, project. The same everywhere.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Memory } from "@/api/types";
import { useSession } from "@/app/session";
import { Highlight } from "@/ui/Highlight";
import { plainText } from "@/ui/plainText";
import { Time } from "@/ui/Time";
import { Badges, KindBadge } from "./Badges";
import { Places } from "./Places";
import { Trust } from "./Trust";
import { isVerbatim } from "./verbatim";
import { titleOf, whoSaid } from "./who";

interface Props {
  memory: Memory;
  /** The part that matched, in place of the whole text. */
  text?: string;
  query?: string;
  selected?: boolean;
  /** Left of the text, such as a box to tick. */
  before?: ReactNode;
  /** Right of the text, such as what can be decided. */
  after?: ReactNode;
  /** Below the text, such as why it was found. */
  children?: ReactNode;
}

export function MemoryCard({ memory, text, query = "", selected = false, before, after, children }: Props) {
  return (
    <article className={selected ? "memory selected" : "memory"} data-memory={memory.id} aria-current={selected || undefined}>
      {before}
      <div className="memory-main">
        <Link to="." search={(search) => ({ ...search, memory: memory.id })} className="memory-open" data-step>
          {memory.title !== null && <strong className="memory-title"><Highlight text={titleOf(memory) ?? ""} query={query} /></strong>}
          {memory.title !== memory.text && <span className="memory-text"><Highlight text={excerpt(text ?? memory.text, memory)} query={query} /></span>}
        </Link>
        <MemoryMeta memory={memory} />
        {children}
      </div>
      {after}
    </article>
  );
}

/** The line that says what a memory is and where it is from. */
export function MemoryMeta({ memory }: { memory: Memory }) {
  const { user } = useSession();
  const who = whoSaid(memory, user ?? memory.owner);
  return (
    <p className="memory-meta">
      <KindBadge kind={memory.kind} />
      <span className="who" title={who.sort}><who.icon size={13} aria-hidden />{who.name}</span>
      <Time at={memory.at} />
      <Trust memory={memory} />
      <Places memory={memory} />
      <Badges memory={memory} />
    </p>
  );
}

const SHOWN = 700;

/** Returns the beginning of a text, without a heading that only repeats its title. */
function excerpt(whole: string, memory: Memory): string {
  const { title } = memory;
  const plain = isVerbatim(memory) ? whole : plainText(whole);
  const heading = plain.indexOf("\n");
  const text = title !== null && heading > 0 && title.endsWith(plain.slice(0, heading)) ? plain.slice(heading + 1) : plain;
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}
