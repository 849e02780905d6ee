// The knowledge map: cards in groups (by type, file or topic), of everything or of what the team shares, with counts and a
// legend; a graph of things beside it.
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Map as MapIcon, Users } from "lucide-react";
import { lazy, Suspense, useMemo } from "react";
import { place } from "@/api/place";
import { listOf, wordOf } from "@/app/search";
import type { Memory } from "@/api/types";
import { counted } from "@/ui/counted";
import { familyOf } from "@/memory/kinds";
import { Empty, Failed, Loading } from "@/ui/States";
import { Page } from "@/ui/Page";
import { KnowledgeCard } from "./KnowledgeCard";
import { cardsQuery, NO_FILE, subjectOf, topicOf, TYPES, typeOf, UNCATEGORIZED } from "./queries";

const GraphView = lazy(() => import("./GraphView").then((module) => ({ default: module.GraphView })));
const VIEWS = [["type", "By type"], ["file", "By file"], ["topic", "By topic"], ["graph", "Graph"]] as const;

export function MapPage() {
  const { view: chosen, project, hide, of } = useSearch({ from: "/map" });
  const shared = of === "team";
  const view = chosen ?? (shared ? "topic" : "type");
  const navigate = useNavigate({ from: "/map" });
  const where = place(project);
  const found = useQuery(cardsQuery(where, shared));
  const hidden = new Set(listOf(hide));
  const memories = useMemo(() => found.data?.memories ?? [], [found.data]);
  const show = (change: { view?: string | undefined; of?: string | undefined }): void => void navigate({ search: (before) => ({ ...before, ...change }) });
  const toggle = (type: string): void => {
    if (!hidden.delete(type)) hidden.add(type);
    void navigate({ search: (before) => ({ ...before, hide: wordOf([...hidden]) }) });
  };
  const types = Object.keys(TYPES).map((type) => [type, memories.filter((memory) => typeOf(memory) === type).length] as const).filter(([, count]) => count > 0);
  return (
    <Page
      title="Knowledge map" about={view === "graph" ? "Things and how they are related." : found.data && `${counted(memories.length, "memory")}${shared ? " shared with the team" : ""}${found.data.isCut ? ", the newest of each type" : ""}`}
      acts={(
        <>
          {view !== "graph" && (
            <div className="tabs" role="group" aria-label="Whose">
              <button type="button" className="tab" aria-pressed={!shared} onClick={() => show({ of: undefined, view: undefined })}>All you see</button>
              <button type="button" className="tab" aria-pressed={shared} onClick={() => show({ of: "team", view: undefined })}>Team</button>
            </div>
          )}
          <div className="tabs parted" role="group" aria-label="View">
            {VIEWS.map(([value, name]) => <button key={value} type="button" className="tab" aria-pressed={view === value} onClick={() => show({ view: value })}>{name}</button>)}
          </div>
        </>
      )}
      tools={view !== "graph" && types.length > 0 && (
        <div className="filters" role="group" aria-label="Legend: press to hide or show">
          {types.map(([type, count]) => (
            <button key={type} type="button" className="chip legend" aria-pressed={!hidden.has(type)} onClick={() => toggle(type)}>
              <span className={`kind family-${familyOf(TYPES[type]?.[0] ?? "note")}`}>{type}</span>{count}
            </button>
          ))}
        </div>
      )}
    >
      {view === "graph" ? <Suspense fallback={<Loading />}><GraphView where={where} /></Suspense>
        : found.error ? <Failed cause={found.error} onRetry={() => void found.refetch()} />
          : found.isPending ? <Loading rows={6} />
            : memories.length === 0 && shared ? <Empty title="Nothing is shared with the team here" icon={Users}><p>Open a memory and choose <strong>Share with the team</strong> among its actions. What agents keep inside a project is seen by everybody in it.</p></Empty>
            : memories.length === 0 ? <Empty title="Nothing is known here yet" icon={MapIcon}><p>What people and agents state, and what is read from files, is gathered here by type, file and topic.</p></Empty>
              : <Groups memories={memories.filter((memory) => !hidden.has(typeOf(memory)))} group={view === "topic" ? topicOf : view === "file" ? subjectOf : typeOf} />}
    </Page>
  );
}

function Groups({ memories, group }: { memories: Memory[]; group: (memory: Memory) => string }) {
  const order = Object.keys(TYPES);
  const groups = [...Map.groupBy(memories, group)].sort(([a, first], [b, second]) => {
    for (const rest of [UNCATEGORIZED, NO_FILE]) if (a === rest || b === rest) return a === rest ? 1 : -1;
    return order.includes(a) ? order.indexOf(a) - order.indexOf(b) : second.length - first.length;
  });
  return (
    <div className="map-groups">
      {groups.map(([name, inside]) => (
        <details key={name} className={inside.length === 1 ? "map-group one" : inside.length === 2 ? "map-group two" : "map-group"} open>
          <summary><h2>{name}</h2><span className="count">{inside.length}</span></summary>
          <ul className="cards">{inside.slice(0, 60).map((memory) => <li key={memory.id}><KnowledgeCard memory={memory} /></li>)}</ul>
          {inside.length > 60 && <p className="hint">The newest 60 of {inside.length} are shown; search finds the others.</p>}
        </details>
      ))}
    </div>
  );
}
