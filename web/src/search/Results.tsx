// The answer to a question: groups in the order of their best hit, then what was just missed.
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { Boxes, FileText, MessagesSquare, SearchX } from "lucide-react";
import { memo, useDeferredValue, useMemo, useState, type ReactNode } from "react";
import type { Hit, Hits } from "@/api/types";
import { MemoryCard } from "@/memory/MemoryCard";
import { SelectedMemories } from "@/memory/SelectedMemories";
import { titleOf } from "@/memory/who";
import { Button } from "@/ui/Button";
import { Empty, Failed, Loading } from "@/ui/States";
import { counted } from "@/ui/counted";
import { Tick } from "@/ui/SelectBar";
import { Time } from "@/ui/Time";
import { grouped, type Group } from "./grouping";
import { aroundQuery } from "./queries";
import { useSelectingMemories, type Selecting } from "./selecting";
import { Why } from "./Why";

/** What is drawn at once of an answer; the rest follows when nothing is more urgent. */
const AT_ONCE = 10;
const NONE: Hit[] = [];

interface Props extends Selecting {
  found: Hits;
  query: string;
  onMore?: (() => void) | undefined;
  /** Whether filters narrow the search, and whether there is more in other projects. */
  filtered: boolean;
  elsewhere: boolean;
}

/** Draws the box before a hit while several are selected. */
type Box = (hit: Hit) => ReactNode;

export const Results = memo(function Results({ found, query, onMore, filtered, elsewhere, selecting, onSelecting }: Props) {
  const { hits, near_misses: missed } = found;
  const [near, setNear] = useState(false);
  const selected = useSearch({ strict: false, select: ({ memory }) => memory });
  const groups = useMemo(() => grouped(hits), [hits]);
  const whole = useDeferredValue(hits, NONE) === hits;
  const shown = near || hits.length === 0;
  const memories = useMemo(() => groups.flatMap((group) => group.hits.map(({ memory }) => memory)), [groups]);
  const selection = useSelectingMemories(useMemo(() => memories.map(({ id }) => id), [memories]), { selecting, onSelecting });
  const box: Box = ({ memory }) => selecting && <Tick selection={selection} id={memory.id} allowed={selection.allowed.has(memory.id)} label={titleOf(memory) ?? memory.text.slice(0, 60)} />;
  if (hits.length === 0 && missed.length === 0) {
    return (
      <Empty title="Nothing answers this" icon={SearchX}>
        <p>{counted(found.searched, "memory")} {found.searched === 1 ? "was" : "were"} looked through. Try other words{filtered && ", fewer filters"}{elsewhere && ", or all projects"}.</p>
      </Empty>
    );
  }
  return (
    <>
      {selecting && hits.length > 0 && <SelectedMemories memories={memories} selection={selection} count={selection.allowed.size} onDone={() => onSelecting(false)} />}
      {found.degraded !== null && <p className="note warn">Less than a full search: {found.degraded}</p>}
      {hits.length === 0 && <p className="note">Nothing clearly answers this. What comes closest:</p>}
      <ol className="results" aria-label="Results">
        {(whole ? groups : groups.slice(0, AT_ONCE)).map((group) => <li key={group.key}><GroupView group={group} query={query} box={box} /></li>)}
      </ol>
      {onMore && whole && <Button look="quiet" onClick={onMore}>Show more hits</Button>}
      {missed.length > 0 && (
        <section className="missed">
          {hits.length > 0 && <Button look="quiet" aria-expanded={near} onClick={() => setNear(!near)}>{near ? "Hide" : "Show"} what was just missed ({missed.length})</Button>}
          {shown && (
            <ol className="results" aria-label="Just missed">
              {missed.map((miss) => (
                <li key={miss.memory.id}>
                  <MemoryCard memory={miss.memory} text={miss.passage === "" ? miss.memory.text : miss.passage} query={query} selected={selected === miss.memory.id}>
                    <div className="hit-foot"><span className="badge" title="Why it is no hit">{MISSED[miss.missed] ?? miss.missed}</span><Why hit={miss} /></div>
                  </MemoryCard>
                </li>
              ))}
            </ol>
          )}
        </section>
      )}
    </>
  );
});

const MISSED: Record<string, string> = {
  confidence: "hardly answers", rank: "others answer better", repeated: "says the same as a hit", delivered: "the session has it already",
};
const ICONS = { conversation: MessagesSquare, file: FileText, module: Boxes };

function GroupView({ group, query, box }: { group: Group; query: string; box: Box }) {
  const first = group.hits[0];
  if (group.sort === "alone" || first === undefined) return <>{group.hits.map((hit) => <HitView key={hit.memory.id} hit={hit} query={query} box={box} />)}</>;
  const Icon = ICONS[group.sort];
  return (
    <section className="group" aria-label={group.title}>
      <h2 className="group-head">
        <Icon size={14} aria-hidden />
        {group.session === null ? <span className="clip">{group.title}</span> : (
          <Link to="/conversations/$session" params={{ session: group.session }} search={(search) => ({ project: search.project, memory: first.memory.id })} className="clip">{group.title}</Link>
        )}
        <Time at={first.memory.at} />
        {group.hits.length > 1 && <span className="faint">{counted(group.hits.length, "hit")}</span>}
      </h2>
      {group.hits.map((hit) => <HitView key={hit.memory.id} hit={hit} query={query} box={box} />)}
    </section>
  );
}

function HitView({ hit, query, box }: { hit: Hit; query: string; box: Box }) {
  const selected = useSearch({ strict: false, select: (search) => search.memory });
  const [around, setAround] = useState(false);
  const { memory } = hit;
  const neighbours = memory.session !== null && memory.position !== null;
  return (
    <>
      {around && memory.session !== null && <Around session={memory.session} id={memory.id} side="before" />}
      <MemoryCard memory={memory} text={hit.passage === "" ? memory.text : hit.passage} query={query} selected={selected === memory.id} before={box(hit)}>
        <div className="hit-foot">
          <Why hit={hit} />
          {neighbours && <button type="button" className="why-toggle" aria-expanded={around} onClick={() => setAround(!around)}>{around ? "Hide what was said around it" : "What was said around it"}</button>}
        </div>
      </MemoryCard>
      {around && memory.session !== null && <Around session={memory.session} id={memory.id} side="after" />}
    </>
  );
}

function Around({ session, id, side }: { session: string; id: string; side: "before" | "after" }) {
  const found = useQuery(aroundQuery(session, id));
  if (found.isPending) return <Loading rows={1} />;
  if (found.error) return <Failed cause={found.error} />;
  if (found.data[side].length === 0) return null;
  return <div className="around">{found.data[side].map((memory) => <MemoryCard key={memory.id} memory={memory} />)}</div>;
}
