// Things and their relations: drawn, and the same as a list for keyboards and screen readers.
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Waypoints } from "lucide-react";
import { useEffect, useRef } from "react";
import ForceGraph, { type LinkObject, type NodeObject } from "force-graph";
import { Empty, Failed, Loading } from "@/ui/States";
import { graphQuery, type Entity, type Relation } from "./queries";

export function GraphView({ where }: { where: { project?: string } }) {
  const found = useQuery(graphQuery(where));
  if (found.error) return <Failed cause={found.error} onRetry={() => void found.refetch()} />;
  if (found.isPending) return <Loading />;
  const { entities, relations, truncated } = found.data;
  if (entities.length === 0) return <Empty title="No things yet" icon={Waypoints}><p>People, services and modules that agents name, and how they are related, are drawn here.</p></Empty>;
  return (
    <div className="graph">
      <Drawing entities={entities} relations={relations} />
      <section className="graph-list">
        <h2>{entities.length} things, {relations.length} relations{truncated && " (the newest)"}</h2>
        <ul className="lines" aria-label="Things and their relations">
          {entities.map((entity) => <li key={entity.id} className="line"><Thing entity={entity} relations={relations} /></li>)}
        </ul>
      </section>
    </div>
  );
}

function Thing({ entity, relations }: { entity: Entity; relations: Relation[] }) {
  const own = relations.filter(({ subject, target }) => subject.id === entity.id || target.id === entity.id);
  return (
    <span className="line-main">
      <Link to="." search={(search) => ({ ...search, memory: entity.id })} data-step><strong>{entity.name}</strong></Link>
      <span className="memory-meta">
        <span>{entity.type ?? "thing"}</span>
        {own.slice(0, 8).map((relation) => (
          <Link key={relation.id} to="." search={(search) => ({ ...search, memory: relation.id })}>
            {relation.subject.id === entity.id ? `${relation.type.replaceAll("_", " ")} ${relation.target.name}` : `${relation.subject.name} ${relation.type.replaceAll("_", " ")} it`}
          </Link>
        ))}
        {own.length > 8 && <span>and {own.length - 8} more</span>}
      </span>
    </span>
  );
}

interface Node extends NodeObject {
  id: string;
  name: string;
  type: string;
}

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const HUES = ["--accent", "--person", "--code", "--trap", "--thing", "--note"];

function Drawing({ entities, relations }: { entities: Entity[]; relations: Relation[] }) {
  const place = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const types = [...new Set(entities.map(({ type }) => type ?? "thing"))];
    const hue = (type: string): string => colour(HUES[types.indexOf(type) % HUES.length] ?? "--accent");
    const known = new Set(entities.map(({ id }) => id));
    const nodes: Node[] = entities.map(({ id, name, type }) => ({ id, name, type: type ?? "thing" }));
    const links = relations.filter(({ subject, target }) => known.has(subject.id) && known.has(target.id))
      .map(({ subject, target, type }) => ({ source: subject.id, target: target.id, type: type.replaceAll("_", " ") }));
    const [text, line] = [colour("--text"), colour("--line-strong")];
    const graph = new ForceGraph<Node, LinkObject<Node> & { type: string }>(element)
      .width(element.clientWidth).height(element.clientHeight).backgroundColor("transparent")
      .nodeLabel(() => "").linkLabel(() => "").linkColor(() => line).linkDirectionalArrowLength(4).linkDirectionalArrowRelPos(1)
      .nodeCanvasObject((node, canvas, scale) => {
        const { x = 0, y = 0 } = node;
        canvas.fillStyle = hue(node.type);
        canvas.beginPath();
        canvas.arc(x, y, 5, 0, 2 * Math.PI);
        canvas.fill();
        if (scale < 0.8 && nodes.length > 60) return;
        canvas.font = `${12 / scale}px system-ui, sans-serif`;
        canvas.fillStyle = text;
        canvas.textAlign = "center";
        canvas.fillText(node.name, x, y + 6 + 12 / scale);
      })
      .onNodeClick((node) => void navigate({ to: ".", search: (search) => ({ ...search, memory: node.id }) }))
      .warmupTicks(60).cooldownTicks(60).onEngineStop(() => graph.zoomToFit(200, 40))
      .graphData({ nodes, links });
    const resized = new ResizeObserver(() => graph.width(element.clientWidth).height(element.clientHeight));
    resized.observe(element);
    return () => {
      resized.disconnect();
      graph._destructor();
    };
  }, [entities, relations, navigate]);
  return <div ref={place} className="graph-canvas" role="img" aria-label="A drawing of the things and their relations; the list after it says the same" />;
}
