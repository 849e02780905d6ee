// What is believed of me, or of any person, project or thing: since when, why, what contradicts it; and correcting it.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { BanIcon, Pencil, Pin, PinOff, Trash2, UserRound } from "lucide-react";
import { useId, useState } from "react";
import { api, Problem, unwrap } from "@/api/client";
import { OUTSIDE, place } from "@/api/place";
import type { components } from "@/api/schema";
import { useMemoryActs } from "@/memory/queries";
import { IconButton } from "@/ui/Button";
import { Page } from "@/ui/Page";
import { Empty, Failed, Loading } from "@/ui/States";
import { Time } from "@/ui/Time";

type Belief = components["schemas"]["Belief"];
type Source = Belief["sources"][number];

const aboutQuery = (name: string | undefined, project: string | undefined) => queryOptions({
  queryKey: ["about", "beliefs", name, project],
  queryFn: ({ signal }) => unwrap(api.GET("/v1/about", {
    params: { query: { ...(name !== undefined && { name }), ...(project !== undefined && project !== OUTSIDE && { project }) } }, signal,
  })),
});

const namesQuery = (where: { project?: string }) => queryOptions({
  queryKey: ["entities", "names", where],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/entities", {
    params: { query: { limit: 200, ...where } }, signal,
  }))).entities,
});

export function AboutPage() {
  const { name, project } = useSearch({ from: "/about" });
  const navigate = useNavigate({ from: "/about" });
  const found = useQuery(aboutQuery(name, project));
  const names = useQuery(namesQuery(place(project))).data ?? [];
  const [typed, setTyped] = useState(name ?? "");
  const list = useId();
  const look = (who: string): void => {
    setTyped(who);
    void navigate({ search: (before) => ({ ...before, name: who.trim() || undefined }) });
  };
  const missing = found.error instanceof Problem && found.error.status === 404;
  const count = found.data?.groups.reduce((sum, { beliefs }) => sum + beliefs.length, 0) ?? 0;
  return (
    <Page
      title={name === undefined ? "About you" : `About ${name}`}
      about={count > 0 && `${count} ${count === 1 ? "thing is" : "things are"} believed`}
      tools={
        <form className="row" onSubmit={(event) => {
          event.preventDefault();
          look(typed);
        }}>
          <input className="about-name" type="search" list={list} aria-label="About whom or what" placeholder="Somebody or something else" value={typed} onChange={(event) => setTyped(event.target.value)} />
          <datalist id={list}>{names.map((entity) => <option key={entity.id} value={entity.name} />)}</datalist>
          {name !== undefined && <button type="button" className="chip" onClick={() => look("")}>Back to you</button>}
          {names.slice(0, 6).map((entity) => entity.name !== name && <button key={entity.id} type="button" className="chip" onClick={() => look(entity.name)}>{entity.name}</button>)}
        </form>
      }
    >
      {found.isPending ? <Loading rows={6} />
        : missing ? <Empty title={`Nothing is known of ${name ?? "this"}`} icon={UserRound}><p>It may be written otherwise, or be in another project.</p></Empty>
          : found.error ? <Failed cause={found.error} onRetry={() => void found.refetch()} />
            : count === 0 ? (
              <Empty title="Nothing is believed yet" icon={UserRound}>
                <p>What you say of yourself in conversations, and what you write down as a profile, preference or goal, is gathered here with its source.</p>
              </Empty>
            ) : found.data.groups.map((group) => (
              <section key={group.name} className="beliefs" aria-labelledby={`${list}-${group.name}`}>
                <h2 id={`${list}-${group.name}`}>{group.title}</h2>
                <ul className="lines">{group.beliefs.map((belief) => <li key={`${belief.id} ${belief.attribute} ${belief.value}`}><BeliefView belief={belief} /></li>)}</ul>
              </section>
            ))}
    </Page>
  );
}

function BeliefView({ belief }: { belief: Belief }) {
  const { memory: selected } = useSearch({ strict: false });
  const { id } = belief;
  return (
    <article className={selected === id ? "memory selected" : "memory"} data-memory={id}>
      <div className="memory-main">
        <Link to="." search={(search) => ({ ...search, memory: id })} className="memory-open" data-step>
          <span className="memory-text">{belief.text}</span>
        </Link>
        <p className="memory-meta">
          <span>{belief.since === null ? <>said <Time at={belief.at} /></> : `since ${belief.since}`}</span>
          {belief.until !== null && <span>until {belief.until}</span>}
          <span title="How sure it is">{Math.round(belief.confidence * 100)}%</span>
          {belief.pinned && <span className="badge"><Pin size={12} aria-hidden />Pinned</span>}
          {belief.pending !== null && <span className="badge state-pending" title={belief.pending}>Waiting</span>}
          {belief.contradicts.length > 0 && <span className="badge warn">Contradicted</span>}
        </p>
        <Why belief={belief} />
      </div>
      <BeliefActs belief={belief} />
    </article>
  );
}

function Why({ belief }: { belief: Belief }) {
  return (
    <>
      {belief.contradicts.map((other) => (
        <div key={other.source.memory} className="other"><span className="badge warn">But</span> {other.text} <SourceLine source={other.source} /></div>
      ))}
      <details className="because">
        <summary>Why{belief.replaced.length > 0 && `, and what it was before`}</summary>
        {belief.sources.map((source) => <SourceLine key={source.memory} source={source} />)}
        {belief.replaced.map((other) => (
          <div key={other.source.memory} className="other"><span className="badge">Before</span> <del>{other.text}</del> <SourceLine source={other.source} /></div>
        ))}
      </details>
    </>
  );
}

function SourceLine({ source }: { source: Source }) {
  return (
    <p className="memory-meta source">
      <Link to="." search={(search) => ({ ...search, memory: source.memory })}>“{source.quote}”</Link>
      <span>{source.said_by}</span><Time at={source.at} />
      {source.session !== null && (
        <Link to="/conversations/$session" params={{ session: source.session }} search={({ project }) => ({ project, memory: source.memory })}>conversation</Link>
      )}
    </p>
  );
}

function BeliefActs({ belief }: { belief: Belief }) {
  const acts = useMemoryActs();
  const navigate = useNavigate();
  return (
    <div className="belief-acts">
      <IconButton label="Correct it" icon={Pencil} size={15} onClick={() => void navigate({ to: ".", search: (search) => ({ ...search, memory: belief.id, edit: "yes" }) })} />
      <IconButton label={belief.pinned ? "Unpin" : "Pin"} icon={belief.pinned ? PinOff : Pin} size={15} onClick={() => void acts.pin(belief)} />
      <IconButton label="It is wrong" icon={BanIcon} size={15} onClick={() => void acts.feedback(belief, "wrong")} />
      <IconButton label="Forget it" icon={Trash2} size={15} onClick={() => void acts.forget(belief)} />
    </div>
  );
}
