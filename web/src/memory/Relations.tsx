// What a memory is tied to: its conversation, file, evidence, what it replaced, what depends on it.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Memory } from "@/api/types";
import { conversationQuery } from "@/conversations/queries";
import { memoryQuery, relatedQuery } from "./queries";
import { fileOf, titleOf } from "./who";

/** What other memories are to this one. */
const TIES: Record<string, string> = {
  supersedes: "Replaced by", gave_way: "Replaces", speaks_of: "Spoken of in", rests_on: "Ground for", came_from: "Brought in",
  depends_on: "Needed by", caused_by: "Cause of", related_to: "Related to",
};
const SHOWN = 6;

export function Relations({ memory }: { memory: Memory }) {
  const related = useQuery(relatedQuery(memory.id)).data;
  const file = fileOf(memory);
  const rows: [string, ReactNode][] = [];
  if (memory.session !== null) rows.push(["Conversation", <ConversationLink key="session" session={memory.session} memory={memory.id} />]);
  if (file !== null) rows.push(["File", <code key="file">{file}</code>]);
  const known = new Set<string>([memory.id]);
  const links: [string, { id: string; title: string | null; text: string }][] = [
    ...(related?.rests_on ?? []).map((each): [string, Memory] => ["Rests on", each]),
    ...(related?.dependents ?? []).map(({ memory: each, tie }): [string, Memory] => [TIES[tie] ?? tie, each]),
  ];
  for (const [name, each] of links.slice(0, SHOWN)) {
    known.add(each.id);
    rows.push([name, <Named key={each.id} {...each} />]);
  }
  if (links.length > SHOWN) rows.push(["", <span key="more" className="faint">and {links.length - SHOWN} more</span>]);
  for (const [name, id] of [["Replaces", memory.supersedes], ["Replaced by", memory.superseded_by], ...memory.about.map((each) => ["About", each] as const)] as const) {
    if (id !== null && !known.has(id)) rows.push([name, <MemoryLink key={`${name} ${id}`} id={id} />]);
  }
  for (const [name, value] of Object.entries(memory.evidence)) {
    if (typeof value === "string" && known.has(value)) continue;
    rows.push([label(name), name === "session" && typeof value === "string" ? <ConversationLink key={name} session={value} /> : <Evidence key={name} value={value} />]);
  }
  if (rows.length === 0) return null;
  return (
    <section>
      <h3>Where it comes from</h3>
      <dl className="facts">
        {rows.map(([name, value], index) => <div key={index}><dt>{name}</dt><dd>{value}</dd></div>)}
      </dl>
    </section>
  );
}

/** A link to a conversation by its title, or the bare name of a session that is none. */
export function ConversationLink({ session, memory }: { session: string; memory?: string }) {
  const found = useQuery({ ...conversationQuery(session), retry: false });
  if (!found.data) return <code>{session}</code>;
  return (
    <Link to="/conversations/$session" params={{ session }} search={({ project }) => ({ project, ...(memory !== undefined && { memory }) })}>{found.data.name ?? session}</Link>
  );
}

function Named({ id, title, text }: { id: string; title: string | null; text: string }) {
  return <Link to="." search={(search) => ({ ...search, memory: id })} className="clip">{(titleOf({ title }) ?? text).slice(0, 140)}</Link>;
}

export function MemoryLink({ id }: { id: string }) {
  const { data, error } = useQuery({ ...memoryQuery(id), retry: false });
  if (error) return <code>{id}</code>;
  return <Named id={id} title={data === undefined ? "A memory" : data.title} text={data?.text ?? ""} />;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

function Evidence({ value }: { value: unknown }) {
  if (typeof value === "string" && ID.test(value)) return <MemoryLink id={value} />;
  if (Array.isArray(value)) return <>{value.map((each: unknown, index) => <div key={index}><Evidence value={each} /></div>)}</>;
  return <>{typeof value === "string" ? value : JSON.stringify(value)}</>;
}

function label(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
}
