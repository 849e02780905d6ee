// What will my agent get? A task in, the context out: each line with its source, and what was left out and why.
import { counted } from "@/ui/counted";
import { projectsQuery } from "@/projects/queries";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Bot } from "lucide-react";
import { useState } from "react";
import { api, unwrap } from "@/api/client";
import { OUTSIDE } from "@/api/place";
import type { components } from "@/api/schema";
import { KindBadge } from "@/memory/Badges";
import { percentOf } from "@/memory/sure";
import { Button } from "@/ui/Button";
import { Page } from "@/ui/Page";
import { plainText } from "@/ui/plainText";
import { Empty, Failed, Loading } from "@/ui/States";

type Context = components["schemas"]["Context"];
type Entry = Context["memories"][number];

const BUDGETS = [500, 1_000, 2_000, 4_000, 8_000];
const REASONS = [
  ["budget", "No room: the budget is used up"], ["limit", "Beyond the most memories that are given"], ["given", "The session has it already"],
  ["window", "Among the latest messages, which the prompt has already"], ["contradicted", "A newer rule says otherwise"],
] as const;
const TALKS = ["Where could I go on a weekend?", "What should I cook for us tonight?", "What was decided about the sign-in?"];
const EXAMPLES = ["Customers are logged out after five minutes", "Add a voucher to the checkout", "Why did the nightly tests fail?"];
const SAID_BY: Record<string, string> = {
  person: "said by a person", agent: "said by an agent", assistant: "said by an assistant", import: "from an import", file: "from a file",
  tool: "from a tool", web: "from the web", extraction: "found by rules in what a person said",
};
const TIERS: Record<number, string> = { 1: "Always given", 2: "For the modules of the task", 3: "Like this task" };
/** The parts of a context for a conversation, in their order. */
const PARTS: Record<string, string> = {
  about: "About you", facts: "Lists and preferences", entities: "People and things that the message names", summary: "Earlier conversations",
  memories: "What answers it", recent: "Said before in this conversation",
};

const contextQuery = (task: string, budget: number, project: string | undefined, role: string) => queryOptions({
  queryKey: ["context", task, budget, project, role],
  queryFn: ({ signal }) => unwrap(api.POST("/v1/context", {
    body: { task, budget, role, record: false, ...(project !== undefined && project !== OUTSIDE && { project }) }, signal,
  })),
  placeholderData: keepPreviousData,
});

export function ContextPage() {
  const { project, task, budget, role } = useSearch({ from: "/context" });
  const isChat = role === "chat";
  const navigate = useNavigate({ from: "/context" });
  const [typed, setTyped] = useState(task ?? "");
  const tokens = BUDGETS.find((each) => String(each) === budget) ?? 2_000;
  const found = useQuery({ ...contextQuery(task ?? "", tokens, project, isChat ? "chat" : "coder"), enabled: task !== undefined });
  const projects = useQuery(projectsQuery).data ?? [];
  const ask = (): void => void navigate({ search: (before) => ({ ...before, task: typed.trim() || undefined }) });
  return (
    <Page title="What will my agent get?" about={isChat ? "The context of a conversation, before an assistant sees it." : "The context of a task, before an agent sees it."} acts={
      <div className="tabs" role="group" aria-label="For whom">
        <button type="button" className="tab" aria-pressed={!isChat} onClick={() => void navigate({ search: (before) => ({ ...before, role: undefined }) })}>A coding task</button>
        <button type="button" className="tab" aria-pressed={isChat} onClick={() => void navigate({ search: (before) => ({ ...before, role: "chat" }) })}>A conversation</button>
      </div>
    } tools={
      <form className="ask" onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}>
        <textarea
          aria-label={isChat ? "Latest message" : "Task or prompt"} rows={2}
          placeholder={isChat ? "What you would write to your assistant, such as: where could I go on a weekend?" : "A task or prompt, such as: customers are logged out after five minutes"}
          value={typed} onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.shiftKey) {
              event.preventDefault();
              ask();
            }
          }}
        />
        <label>Tokens<select value={tokens} onChange={(event) => void navigate({ search: (before) => ({ ...before, budget: event.target.value }) })}>{BUDGETS.map((each) => <option key={each}>{each}</option>)}</select></label>
        <Button look="primary" type="submit" disabled={typed.trim() === ""}>Show</Button>
      </form>
    }>
      {task === undefined ? (
        <Empty title="Ask for the agent" icon={Bot}>
          <p>{isChat ? "Write what you would say to your assistant. You see what it is told of you, from where, and what is left out." : "Write what you would ask your agent to do. You see what it is given, from where, and what is left out."}</p>
          {!isChat && project === undefined && projects.length > 0 && (
            <div className="row"><span className="faint">In which project?</span>{projects.slice(0, 6).map(({ name }) => <Button key={name} onClick={() => void navigate({ search: (before) => ({ ...before, project: name }) })}>{name}</Button>)}</div>
          )}
          {(isChat || project !== undefined) && <ul className="examples" aria-label="Examples">{(isChat ? TALKS : EXAMPLES).map((each) => <li key={each}><button type="button" className="chip" onClick={() => {
            setTyped(each);
            void navigate({ search: (before) => ({ ...before, task: each }) });
          }}>{each}</button></li>)}</ul>}
        </Empty>
      ) : found.error ? <Failed cause={found.error} onRetry={() => void found.refetch()} />
        : found.data ? <Given context={found.data} /> : <Loading />}
    </Page>
  );
}

/** Titles in the order in which they are shown. */
const ORDER = [...Object.values(PARTS), ...Object.values(TIERS)];

/** Returns the title that an entry stands below: its part in a conversation, else why a task gets it. */
function sectionOf({ part, tier }: Entry): string {
  return (part === null ? undefined : PARTS[part]) ?? TIERS[tier] ?? `Tier ${tier}`;
}

function Given({ context }: { context: Context }) {
  const [raw, setRaw] = useState(false);
  const share = Math.min(100, (context.tokens / context.budget) * 100);
  const groups = [...Map.groupBy(context.memories, sectionOf)].sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b));
  const instructions = context.parts.find(({ name }) => name === "instructions");
  return (
    <div className="given">
      <div className="row spread">
        <p role="status"><strong>{context.tokens.toLocaleString("en")}</strong> of {context.budget.toLocaleString("en")} tokens, {counted(context.memories.length, "memory")}{context.modules.length > 0 && `, modules: ${context.modules.join(", ")}`}</p>
        <div className="tabs" role="group" aria-label="Show as">
          <button type="button" className="tab" aria-pressed={!raw} onClick={() => setRaw(false)}>Lines</button>
          <button type="button" className="tab" aria-pressed={raw} onClick={() => setRaw(true)}>Prompt</button>
        </div>
      </div>
      <div className="meter" aria-hidden><span style={{ width: `${share}%` }} /></div>
      {context.degraded !== null && <p className="note warn">Less than a full search: {context.degraded}</p>}
      {raw ? <pre className="prompt">{context.text === "" ? "Nothing is given." : context.text}</pre> : (
        <>
          {context.memories.length === 0 && <Empty title="The agent gets nothing"><p>Nothing that is known here concerns this task. What is pinned, and rules of the project, would be given in any case: none are kept in this place.</p></Empty>}
          {instructions !== undefined && instructions.tokens > 0 && <p className="hint">It begins with {context.role === "chat" ? "instructions to the assistant" : "instructions"}, about {instructions.tokens} tokens: “Prompt” shows them.</p>}
          {groups.map(([title, entries]) => (
            <section key={title}>
              <h2>{title}</h2>
              <ol className="lines">{entries.map((entry) => <li key={entry.citation}><Line entry={entry} note={<span className="citation">{entry.citation}</span>} /></li>)}</ol>
            </section>
          ))}
        </>
      )}
      {context.left_out.length > 0 && (
        <section>
          <h2>Left out<span className="count">{context.left_out.length}</span></h2>
          {REASONS.map(([reason, why]) => {
            const entries = context.left_out.filter((entry) => entry.reason === reason);
            return entries.length > 0 && (
              <details key={reason} className="section" open={context.left_out.length <= 12}>
                <summary>{why}<span className="count">{entries.length}</span></summary>
                <ol className="lines">{entries.map((entry) => <li key={entry.id}><Line entry={entry} /></li>)}</ol>
              </details>
            );
          })}
        </section>
      )}
    </div>
  );
}

function Line({ entry, note }: { entry: Pick<Entry, "id" | "kind" | "text" | "file"> & Partial<Entry>; note?: React.ReactNode }) {
  return (
    <article className="memory" data-memory={entry.id}>
      <div className="memory-main">
        <Link to="." search={(search) => ({ ...search, memory: entry.id })} className="memory-open" data-step><span className="memory-text">{plainText(entry.text)}</span></Link>
        <p className="memory-meta">
          {note}<KindBadge kind={entry.kind} />
          {entry.said_by !== undefined && <span>{SAID_BY[entry.said_by] ?? `said by ${entry.said_by}`}</span>}
          {entry.confidence !== undefined && <span>{percentOf(entry.confidence)}% sure</span>}
          {entry.module != null && <span>module {entry.module}</span>}
          {entry.file !== null && <code>{entry.file}</code>}
          {entry.text !== "" && <span>about {Math.ceil(entry.text.length / 4)} tokens</span>}
        </p>
      </div>
    </article>
  );
}
