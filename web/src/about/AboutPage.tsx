// What is believed of me, or of any person, project or thing: since when, why, what contradicts it; and correcting it.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { BanIcon, MoreHorizontal, Pencil, Pin, PinOff, ThumbsDown, Trash2, UserRound, X } from "lucide-react";
import { useId, useState } from "react";
import { api, Problem, unwrap } from "@/api/client";
import { OUTSIDE, place } from "@/api/place";
import type { components } from "@/api/schema";
import { useMay } from "@/app/session";
import { CorrectDialog } from "./CorrectDialog";
import { NeverDialog } from "@/memory/NeverDialog";
import { useMemoryActs } from "@/memory/queries";
import { inWords } from "@/memory/reasons";
import { percentOf } from "@/memory/sure";
import { Button, IconButton } from "@/ui/Button";
import { Menu, MenuItem, MenuLine } from "@/ui/Menu";
import { Page } from "@/ui/Page";
import { Empty, Failed, Loading } from "@/ui/States";
import { Time } from "@/ui/Time";
import { counted } from "@/ui/counted";

type Belief = components["schemas"]["Belief"];
type Source = Belief["sources"][number];
type Group = Pick<components["schemas"]["BeliefGroup"], "name" | "title">;

/** What is believed. Each answer reads some of the messages that are new to it; while some are left it is asked again. */
const aboutQuery = (name: string | undefined, project: string | undefined, mayRead: boolean) => queryOptions({
  queryKey: ["about", "beliefs", name, project],
  queryFn: ({ signal }) => unwrap(api.GET("/v1/about", {
    params: { query: { ...(name !== undefined && { name }), ...(project !== undefined && project !== OUTSIDE && { project }) } }, signal,
  })),
  refetchInterval: ({ state }) => (mayRead && (state.data?.unread ?? 0) > 0 && state.dataUpdateCount < READINGS_MAX ? 50 : false),
});

/** How often an answer may go on reading, 500 messages at a time. */
const READINGS_MAX = 400;

const namesQuery = (where: { project?: string }) => queryOptions({
  queryKey: ["entities", "names", where],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/entities", {
    params: { query: { limit: 200, ...where } }, signal,
  }))).entities,
});

const exclusionsQuery = queryOptions({
  queryKey: ["memories", "exclusions"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/memories", {
    params: { query: { project: "*", kinds: ["exclusion"], limit: 200 } }, signal,
  }))).memories,
});

export function AboutPage() {
  const { name, project } = useSearch({ from: "/about" });
  const navigate = useNavigate({ from: "/about" });
  const found = useQuery(aboutQuery(name, project, useMay()("write")));
  const names = useQuery(namesQuery(place(project))).data ?? [];
  const [typed, setTyped] = useState(name ?? "");
  const [correcting, setCorrecting] = useState<Belief | null>(null);
  const list = useId();
  const look = (who: string): void => {
    setTyped(who);
    void navigate({ search: (before) => ({ ...before, name: who.trim() || undefined }) });
  };
  const missing = found.error instanceof Problem && found.error.status === 404;
  const unread = found.data?.unread ?? 0;
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
      {unread > 0 && <p className="note" role="status">{counted(unread, "older message")} still to be read: what they say appears by itself.</p>}
      {found.isPending || (count === 0 && unread > 0) ? <Loading rows={6} />
        : missing ? <Empty title={`Nothing is known of ${name ?? "this"}`} icon={UserRound}><p>It may be written otherwise, or be in another project.</p></Empty>
          : found.error ? <Failed cause={found.error} onRetry={() => void found.refetch()} />
            : count === 0 ? (
              <Empty title="Nothing is believed yet" icon={UserRound}>
                <p>What you say of yourself in conversations, and what you write down as a profile, preference or goal, is gathered here with its source.</p>
              </Empty>
            ) : found.data.groups.map((group) => (
              <section key={group.name} className="beliefs" aria-labelledby={`${list}-${group.name}`}>
                <h2 id={`${list}-${group.name}`}>{group.title}</h2>
                <ul className="lines">{group.beliefs.map((belief) => <li key={`${belief.id} ${belief.attribute} ${belief.value}`}><BeliefView belief={belief} group={group} onCorrect={() => setCorrecting(belief)} /></li>)}</ul>
              </section>
            ))}
      {name === undefined && <Exclusions />}
      {/* beside the list: what is written stays when the list changes meanwhile */}
      {correcting !== null && <CorrectDialog belief={correcting} onClose={() => setCorrecting(null)} />}
    </Page>
  );
}

interface BeliefProps {
  belief: Belief;
  group: Group;
  onCorrect: () => void;
}

function BeliefView({ belief, group, onCorrect }: BeliefProps) {
  const { memory: selected } = useSearch({ strict: false });
  const { id } = belief;
  return (
    <article className={selected === id ? "memory selected" : "memory"} data-memory={id}>
      <div className="memory-main">
        <Link to="." search={(search) => ({ ...search, memory: id })} className="memory-open" data-step>
          <span className="memory-text">{belief.text}</span>
        </Link>
        <p className="memory-meta">
          <span><SinceWhen belief={belief} /></span>
          {belief.until !== null && <span>until {belief.until}</span>}
          <span>{percentOf(belief.confidence)}% sure</span>
          {belief.pinned && <span className="badge"><Pin size={12} aria-hidden />Pinned</span>}
          {belief.pending !== null && <span className="badge state-pending" title={inWords(belief.pending)}>Waiting</span>}
          {belief.contradicts.length > 0 && <span className="badge warn">Contradicted</span>}
        </p>
        <Why belief={belief} />
      </div>
      <BeliefActs belief={belief} group={group} onCorrect={onCorrect} />
    </article>
  );
}

/** Since when it is so ("since 2025", "for years"), when it is planned for, or when it was said. */
function SinceWhen({ belief }: { belief: Belief }) {
  if (belief.since === null) return <>said <Time at={belief.at} /></>;
  const isWhole = belief.status === "plan" || /^(for|over|about|all|schon)\s(?!\d)/i.test(belief.since);
  return isWhole ? belief.since : `since ${belief.since}`;
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
          <div key={other.source.memory} className="other"><span className="badge">{other.reason === "corrected" ? "Corrected" : "Before"}</span> <del>{other.text}</del> <SourceLine source={other.source} /></div>
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

const EXAMPLE_MAX = 160;

function BeliefActs({ belief, group, onCorrect }: BeliefProps) {
  const acts = useMemoryActs();
  const may = useMay();
  const { name, project } = useSearch({ from: "/about" });
  const [never, setNever] = useState(false);
  if (!may("write")) return null;
  const quote = belief.sources[0]?.quote ?? belief.text;
  const isRead = belief.sources[0]?.session != null; // from a message, which says other things too
  const dismiss = () => acts.dismiss({ id: belief.id, was: belief.text, ...(name !== undefined && { name }), ...(project !== undefined && project !== OUTSIDE && { project }) });
  return (
    <div className="belief-acts">
      <Button look="quiet" icon={Pencil} onClick={onCorrect}>Correct</Button>
      {isRead ? <Button look="quiet" icon={X} onClick={() => void dismiss()}>Not true</Button>
        : <Button look="quiet" icon={Trash2} onClick={() => void acts.forget(belief)}>Forget</Button>}
      <Menu trigger={<IconButton label={`More about “${belief.text}”`} icon={MoreHorizontal} />}>
        <MenuItem icon={belief.pinned ? PinOff : Pin} onSelect={() => void acts.pin(belief)}>{belief.pinned ? "Unpin" : "Pin: it never gives way"}</MenuItem>
        <MenuItem icon={ThumbsDown} onSelect={() => void acts.feedback(belief, "wrong")}>This is wrong</MenuItem>
        {isRead && <MenuItem icon={Trash2} onSelect={() => void acts.forget(belief, "The whole message is forgotten.")}>Forget the whole message</MenuItem>}
        <MenuLine />
        <MenuItem icon={BanIcon} danger onSelect={() => setNever(true)}>Never remember this kind…</MenuItem>
      </Menu>
      {never && <NeverDialog id={belief.id} example={quote.length <= EXAMPLE_MAX ? quote : belief.text} group={group} {...(isRead && { also: { label: "No longer believe this one; its message stays", run: dismiss } })} onClose={() => setNever(false)} />}
    </div>
  );
}

/** What is never to be remembered, with a way to lift each rule. */
function Exclusions() {
  const rules = useQuery(exclusionsQuery).data ?? [];
  const acts = useMemoryActs();
  const may = useMay();
  if (rules.length === 0) return null;
  return (
    <section className="beliefs" aria-labelledby="never">
      <h2 id="never">Never remembered or believed</h2>
      <ul className="lines">{rules.map((rule) => (
        <li key={rule.id} className="line">
          <span className="line-main"><span>{rule.text}</span><span className="memory-meta"><span>since <Time at={rule.at} /></span></span></span>
          {may("write") && <Button onClick={() => void acts.forget(rule, "Lifted.")}>{rule.text.startsWith("Not believed: ") ? "Believe again" : "Allow again"}</Button>}
        </li>
      ))}</ul>
    </section>
  );
}
