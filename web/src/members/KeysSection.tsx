// Keys of programs: what they may do, making one, which is shown once, and ending one.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { KeyRound, Trash2 } from "lucide-react";
import { useState } from "react";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema";
import { useSession } from "@/app/session";
import { useAct } from "@/memory/useAct";
import { projectsQuery } from "@/projects/queries";
import { Button, IconButton } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { CopyLine } from "@/ui/Copy";
import { Dialog } from "@/ui/Dialog";
import { Failed, Loading } from "@/ui/States";
import { Time } from "@/ui/Time";

type Key = components["schemas"]["Key"];

const keysQuery = queryOptions({
  queryKey: ["keys"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/keys", { signal }))).keys.filter(({ revoked_at }) => revoked_at === null),
});

export function KeysSection() {
  const found = useQuery(keysQuery);
  const [adding, setAdding] = useState(false);
  return (
    <section>
      <div className="row spread section-title"><h2>Keys for programs</h2><Button icon={KeyRound} onClick={() => setAdding(true)}>New key</Button></div>
      {found.error ? <Failed cause={found.error} /> : !found.data ? <Loading rows={2} />
        : found.data.length === 0 ? <p className="faint">There is no key yet. Programs on other machines, and agents that come over HTTP, need one.</p> : (
          <div className="table-scroll"><table className="table">
            <thead><tr><th>For</th><th>Acts as</th><th>May</th><th>Where</th><th>Made</th><th>Ends</th><th><span className="unseen">End it</span></th></tr></thead>
            <tbody>{found.data.map((key) => <KeyRow key={key.id} item={key} />)}</tbody>
          </table></div>
        )}
      {adding && <NewKey onClose={() => setAdding(false)} />}
    </section>
  );
}

function KeyRow({ item }: { item: Key }) {
  const act = useAct(["keys"], { memories: false });
  const [asking, setAsking] = useState(false);
  const name = item.name ?? item.agent ?? `key ${item.id}`;
  return (
    <tr>
      <td><strong>{name}</strong></td>
      <td>{item.user}{item.agent !== null && <>, agent {item.agent}</>} <span className="faint">({item.role})</span></td>
      <td>{item.write ? "Read and write" : "Read"}</td>
      <td>{item.projects === null ? "Everywhere" : item.projects.join(", ")}</td>
      <td><Time at={item.created_at} /></td>
      <td>{item.expires_at === null ? "Never" : <Time at={item.expires_at} />}</td>
      <td className="number"><IconButton label={`End ${name}`} icon={Trash2} onClick={() => setAsking(true)} />
        {asking && (
          <Confirm title={`End ${name}?`} act="End it" onClose={() => setAsking(false)} onConfirm={() => act.mutateAsync({
            does: () => unwrap(api.DELETE("/v1/keys/{id}", { params: { path: { id: item.id } } })), message: `${name} has ended.`,
          })}>
            <p>Whatever uses it is refused from the next request on, in every running service. It cannot be brought back.</p>
          </Confirm>
        )}
      </td>
    </tr>
  );
}

function NewKey({ onClose }: { onClose: () => void }) {
  const act = useAct(["keys"], { memories: false });
  const { user } = useSession();
  const projects = useQuery(projectsQuery).data ?? [];
  const [name, setName] = useState("");
  const [agent, setAgent] = useState("");
  const [project, setProject] = useState("");
  const [write, setWrite] = useState(true);
  const [text, setText] = useState<string | null>(null);
  const create = (): void => act.mutate({
    does: async () => setText((await unwrap(api.POST("/v1/keys", { body: {
      name: name.trim(), write, ...(agent.trim() !== "" && { agent: agent.trim() }), ...(project !== "" && { projects: [project] }),
    } }))).key),
    message: "The key is made. Copy it now.",
  });
  return (
    <Dialog title={text === null ? "New key" : "Copy the key now"} onClose={onClose}>
      {text !== null ? (
        <div className="key-text">
          <p>It is not shown again; only a digest of it is kept.</p>
          <CopyLine text={text} />
          <div className="dialog-foot"><Button look="primary" onClick={onClose}>Done</Button></div>
        </div>
      ) : (
        <form className="form" onSubmit={(event) => {
          event.preventDefault();
          create();
        }}>
          <p className="faint">It acts as {user ?? "you"}. Keys for others are made beside the store: <code>holdfast keys create --for NAME</code>.</p>
          <label>What it is for<input value={name} onChange={(event) => setName(event.target.value)} placeholder="Laptop, build server" autoComplete="off" /></label>
          <label>Agent that acts with it<input value={agent} onChange={(event) => setAgent(event.target.value)} placeholder="None: a person or a program" autoComplete="off" /></label>
          <div className="row">
            <label>Where<select value={project} onChange={(event) => setProject(event.target.value)}><option value="">Everywhere</option>{projects.map((each) => <option key={each.id}>{each.name}</option>)}</select></label>
            <label>May<select value={write ? "write" : "read"} onChange={(event) => setWrite(event.target.value === "write")}><option value="write">Read and write</option><option value="read">Read only</option></select></label>
          </div>
          <div className="dialog-foot"><Button onClick={onClose}>Cancel</Button><Button type="submit" look="primary" disabled={name.trim() === "" || act.isPending}>Make the key</Button></div>
        </form>
      )}
    </Dialog>
  );
}
