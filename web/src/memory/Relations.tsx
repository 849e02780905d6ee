// What a memory is tied to: its conversation, file, evidence, what it replaced, the things it speaks of.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Memory } from "@/api/types";
import { memoryQuery } from "./queries";
import { fileOf } from "./who";

export function Relations({ memory }: { memory: Memory }) {
  const file = fileOf(memory);
  const rows: [string, ReactNode][] = [];
  if (memory.session !== null) {
    rows.push(["Conversation", (
      <Link key="session" to="/conversations/$session" params={{ session: memory.session }} search={(search) => ({ project: search.project, memory: memory.id })}>
        Read the conversation
      </Link>
    )]);
  }
  if (file !== null) rows.push(["File", <code key="file">{file}</code>]);
  if (memory.supersedes !== null) rows.push(["Replaces", <MemoryLink key="old" id={memory.supersedes} />]);
  if (memory.superseded_by !== null) rows.push(["Replaced by", <MemoryLink key="new" id={memory.superseded_by} />]);
  for (const id of memory.about) rows.push(["About", <MemoryLink key={id} id={id} />]);
  for (const [name, value] of Object.entries(memory.evidence)) rows.push([label(name), <Evidence key={name} value={value} />]);
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

export function MemoryLink({ id }: { id: string }) {
  const { data } = useQuery(memoryQuery(id));
  const text = data === undefined ? `${id.slice(0, 8)}…` : data.title ?? data.text;
  return (
    <Link to="." search={(search) => ({ ...search, memory: id })} className="clip">{text.slice(0, 140)}</Link>
  );
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
