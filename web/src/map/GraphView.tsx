// Things and their relations: drawn where the service placed them, and the same as a list for keyboards and screen readers.
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Waypoints } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import ForceGraph, { type LinkObject, type NodeObject } from "force-graph";
import { counted } from "@/ui/counted";
import { Empty, Failed, Loading } from "@/ui/States";
import { VirtualList } from "@/ui/VirtualList";
import { graphQuery, type Drawing, type Spot } from "./queries";

export function GraphView({ where }: { where: { project?: string } }) {
  const found = useQuery(graphQuery(where));
  if (found.error) return <Failed cause={found.error} onRetry={() => void found.refetch()} />;
  if (found.isPending) return <Loading />;
  if (found.data.entities.length === 0) return <Empty title="No things yet" icon={Waypoints}><p>People, services and modules that agents name, and how they are related, are drawn here.</p></Empty>;
  return (
    <div className="graph">
      <Canvas drawing={found.data} />
      <List drawing={found.data} />
    </div>
  );
}

interface Tie {
  id: string;
  words: string;
}

/** Returns the types of things and how many there are of each, the most frequent first: colours follow this order. */
function typesOf({ entities }: Drawing): [string, number][] {
  const counts = new Map<string, number>();
  for (const { type } of entities) counts.set(type ?? "thing", (counts.get(type ?? "thing") ?? 0) + 1);
  return [...counts].sort(([a, first], [b, second]) => second - first || a.localeCompare(b));
}

function List({ drawing }: { drawing: Drawing }) {
  const [typed, setTyped] = useState("");
  const ties = useMemo(() => {
    const of = new Map<number, Tie[]>();
    const add = (at: number, tie: Tie): void => void (of.get(at)?.push(tie) ?? of.set(at, [tie]));
    for (const { id, subject, target, type } of drawing.relations) {
      const does = type.replaceAll("_", " ");
      add(subject, { id, words: `${does} ${drawing.entities[target]?.name ?? ""}` });
      add(target, { id, words: `${drawing.entities[subject]?.name ?? ""} ${does} it` });
    }
    return of;
  }, [drawing]);
  const things = useMemo(() => drawing.entities.map((entity, at) => ({ entity, at }))
    .filter(({ entity }) => entity.name.toLowerCase().includes(typed.toLowerCase().trim())), [drawing, typed]);
  return (
    <section className="graph-list">
      <h2>{counted(drawing.entities.length, "thing")}, {counted(drawing.relations.length, "relation")}{drawing.truncated && " (the newest)"}</h2>
      <ul className="graph-legend" aria-label="Types of things">
        {typesOf(drawing).map(([type, count], at) => <li key={type}><span className={at < HUES.length ? `hue-${at}` : "hue-other"} aria-hidden />{type} <span className="faint">{count}</span></li>)}
      </ul>
      <input type="search" aria-label="Filter things" placeholder="Filter things" value={typed} onChange={(event) => setTyped(event.target.value)} />
      <VirtualList
        label="Things and their relations" items={things} estimate={64} keyOf={({ entity }) => entity.id}
        render={({ entity, at }) => <Thing entity={entity} ties={ties.get(at) ?? []} />}
      />
    </section>
  );
}

function Thing({ entity, ties }: { entity: Spot; ties: Tie[] }) {
  return (
    <div className="line">
      <span className="line-main">
        <Link to="." search={(search) => ({ ...search, memory: entity.id })} data-step><strong>{entity.name}</strong></Link>
        <span className="memory-meta">
          <span>{entity.type ?? "thing"}</span>
          {ties.slice(0, 6).map((tie) => <Link key={tie.id} to="." search={(search) => ({ ...search, memory: tie.id })}>{tie.words}</Link>)}
          {ties.length > 6 && <span>and {ties.length - 6} more</span>}
        </span>
      </span>
    </div>
  );
}

interface Node extends NodeObject {
  id: string;
  name: string;
  hue: string;
  size: number;
  /** Whether its name is shown from afar. */
  large: boolean;
}

type Edge = LinkObject<Node> & { type: string };

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const HUES = ["--accent", "--person", "--code", "--trap", "--thing", "--note"];
/** Relations from which arrows are left out, which take most of the time of drawing. */
const ARROWS_MAX = 600;
/** Things whose names are always drawn, where they fit. */
const NAMED = 40;
/** The radius of a thing on the screen at least, in pixels: its colour must be seen from afar. */
const DOT = 2.5;

function Canvas({ drawing }: { drawing: Drawing }) {
  const place = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const { memory: selected } = useSearch({ strict: false });
  const chosen = useRef(selected);
  const repaint = useRef<() => void>(() => undefined);
  useEffect(() => {
    chosen.current = selected;
    repaint.current();
  }, [selected]);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const types = typesOf(drawing).map(([type]) => type);
    const hues = HUES.map(colour);
    const nodes: Node[] = drawing.entities.map(({ id, name, type, x, y, relations }, at) => ({
      id, name, fx: x, fy: y, x, y, hue: hues[types.indexOf(type ?? "thing")] ?? colour("--said"), size: 4 + Math.min(8, Math.sqrt(relations)), large: at < NAMED,
    }));
    const links = drawing.relations.map(({ subject, target, type }) => ({ source: nodes[subject] as Node, target: nodes[target] as Node, type: type.replaceAll("_", " ") }));
    const [text, faint, line, accent, surface] = [colour("--text"), colour("--muted"), colour("--line-strong"), colour("--accent"), colour("--surface")];
    const radius = (node: Node, scale: number): number => Math.max(node.size, DOT / scale);
    // where names stand in the picture that is being drawn: one that would cover another is left out
    const named = new Map<number, { x: number; y: number; width: number }[]>();
    const fits = (x: number, y: number, width: number, height: number): boolean => {
      const row = Math.floor(y / height);
      const near = [row - 1, row, row + 1].flatMap((each) => named.get(each) ?? []);
      if (near.some((other) => Math.abs(other.x - x) * 2 < other.width + width && Math.abs(other.y - y) < height)) return false;
      named.set(row, [...(named.get(row) ?? []), { x, y, width }]);
      return true;
    };
    const graph = new ForceGraph<Node, Edge>(element)
      .width(element.clientWidth).height(element.clientHeight).backgroundColor("transparent")
      .nodeLabel(() => "").linkLabel(() => "").linkColor(() => line).linkWidth(1)
      .linkDirectionalArrowLength(links.length > ARROWS_MAX ? 0 : 4).linkDirectionalArrowRelPos(0.9)
      .nodeCanvasObject((node, canvas, scale) => {
        const { x = 0, y = 0 } = node;
        const size = radius(node, scale);
        canvas.fillStyle = node.hue;
        canvas.beginPath();
        canvas.arc(x, y, size, 0, 2 * Math.PI);
        canvas.fill();
        if (node.id === chosen.current) {
          canvas.strokeStyle = accent;
          canvas.lineWidth = 3 / scale;
          canvas.beginPath();
          canvas.arc(x, y, size + 4 / scale, 0, 2 * Math.PI);
          canvas.stroke();
        }
      })
      // above all things, so that none covers a name
      .onRenderFramePost((canvas, scale) => {
        named.clear();
        canvas.font = `${12 / scale}px system-ui, sans-serif`;
        canvas.textAlign = "center";
        canvas.lineJoin = "round";
        canvas.lineWidth = 3 / scale;
        canvas.strokeStyle = surface;
        canvas.fillStyle = text;
        for (const node of nodes) {
          const isChosen = node.id === chosen.current;
          if (scale < 0.9 && !node.large && !isChosen) continue;
          const { x = 0, y = 0 } = node;
          const top = y + radius(node, scale) + 13 / scale;
          if (!fits(x, top, canvas.measureText(node.name).width, 13 / scale) && !isChosen) continue;
          canvas.strokeText(node.name, x, top);
          canvas.fillText(node.name, x, top);
        }
      })
      .linkCanvasObjectMode(() => "after")
      .linkCanvasObject((link, canvas, scale) => {
        if (links.length > ARROWS_MAX || scale < 1.2) return;
        const [from, to] = [link.source as Node, link.target as Node];
        canvas.font = `${10 / scale}px system-ui, sans-serif`;
        canvas.fillStyle = faint;
        canvas.textAlign = "center";
        canvas.fillText(link.type, ((from.x ?? 0) + (to.x ?? 0)) / 2, ((from.y ?? 0) + (to.y ?? 0)) / 2);
      })
      .nodePointerAreaPaint((node, hue, canvas, scale) => {
        canvas.fillStyle = hue;
        canvas.beginPath();
        canvas.arc(node.x ?? 0, node.y ?? 0, radius(node, scale) + 4 / scale, 0, 2 * Math.PI);
        canvas.fill();
      })
      .onNodeClick((node) => void navigate({ to: ".", search: (search) => ({ ...search, memory: node.id }) }))
      .enableNodeDrag(false).warmupTicks(0).cooldownTicks(0)
      .graphData({ nodes, links });
    graph.zoomToFit(0, 48);
    // a few things are not blown up to fill the canvas
    if (graph.zoom() > 2) graph.zoom(2, 0);
    repaint.current = () => void graph.nodeRelSize(graph.nodeRelSize());
    const resized = new ResizeObserver(() => graph.width(element.clientWidth).height(element.clientHeight));
    resized.observe(element);
    return () => {
      resized.disconnect();
      graph._destructor();
    };
  }, [drawing, navigate]);
  return <div ref={place} className="graph-canvas" role="img" aria-label="A drawing of the things and their relations; the list after it says the same" />;
}
