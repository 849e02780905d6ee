// Language models of one's own: where they are, what they would be shown, and the consent to that.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { useMay } from "@/app/session";
import { useAct } from "@/memory/useAct";
import { Button } from "@/ui/Button";
import { CopyLine } from "@/ui/Copy";
import { Failed } from "@/ui/States";
import { Time } from "@/ui/Time";

const modelsQuery = queryOptions({
  queryKey: ["models"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/models", { signal }))).models,
});

export function Models() {
  const may = useMay();
  const found = useQuery({ ...modelsQuery, enabled: may("manage") });
  const act = useAct(["models"], { memories: false });
  if (!may("manage")) return null;
  return (
    <section className="card">
      <h2>Language models</h2>
      {found.error ? <Failed cause={found.error} /> : found.data?.length === 0 ? (
        <>
          <p className="faint">None is set up, and none is needed: nothing leaves this machine. One of your own can answer questions in words:</p>
          <CopyLine text="holdfast models add local gemma3 --url http://localhost:11434/v1" />
        </>
      ) : (
        <ul aria-label="Language models">{found.data?.map((model) => (
          <li key={model.name} className="line">
            <span className="line-main">
              <strong>{model.name}</strong>
              <span className="memory-meta"><span>{model.model}</span><span>{model.is_local ? "on this machine" : `at ${model.host}`}</span>{model.accepted_at !== null && <span>accepted <Time at={model.accepted_at} /></span>}</span>
              <span className="faint">{model.disclosure}</span>
            </span>
            {model.is_ready ? <span className="badge good">Ready</span> : (
              <Button disabled={act.isPending} onClick={() => act.mutate({
                does: () => unwrap(api.POST("/v1/models/{name}/accept", { params: { path: { name: model.name } } })), message: `${model.name} may be used now.`,
              })}>Accept and use it</Button>
            )}
          </li>
        ))}</ul>
      )}
    </section>
  );
}
