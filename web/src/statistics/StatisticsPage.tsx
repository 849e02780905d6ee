// What memory did: counts, deliveries, the estimate of what was saved, and measured quality.
import { counted } from "@/ui/counted";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { api, unwrap } from "@/api/client";
import { OUTSIDE, place } from "@/api/place";
import type { Discovery } from "@/api/types";
import { useMay } from "@/app/session";
import { MemoryCard } from "@/memory/MemoryCard";
import { Page } from "@/ui/Page";
import { Failed, Loading } from "@/ui/States";
import { Time } from "@/ui/Time";

const usageQuery = (project: string | undefined) => queryOptions({
  queryKey: ["usage", project],
  queryFn: ({ signal }) => unwrap(api.GET("/v1/stats/usage", { params: { query: project === undefined ? {} : { project } }, signal })),
});

const qualityQuery = queryOptions({
  queryKey: ["quality"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/metrics/quality", { params: { query: { limit: 50 } }, signal }))).metrics,
});

const TRAPS = ["gotcha", "error_pattern", "pr_gotcha", "environment_quirk"];
const SHOWN = 8;

const trapsQuery = (where: { project?: string }) => queryOptions({
  queryKey: ["usage", "traps", where],
  queryFn: async ({ signal }) => {
    const { memories } = await unwrap(api.GET("/v1/memories", { params: { query: { ...where, kinds: TRAPS, limit: 500 } }, signal }));
    return memories.filter(({ use_count }) => use_count > 0).sort((a, b) => b.use_count - a.use_count).slice(0, SHOWN);
  },
});

const count = (value: number): string => value.toLocaleString("en");

/** Says what logs of sessions show, if there are any. */
function discovery(found: Discovery | null | undefined): string | null {
  if (!found) return null;
  const groups = [
    { tokens: found.tokens_with_memory, sessions: found.sessions_with_memory, words: "with memory" },
    { tokens: found.tokens_without_memory, sessions: found.sessions_without_memory, words: "without" },
  ].filter((group) => group.tokens !== null);
  if (groups.length === 0) return null;
  const parts = groups.map(({ tokens, sessions, words }) => `${count(tokens ?? 0)} tokens ${words} (${counted(sessions, "session")})`);
  return `Measured in logs, before the right file was found: ${parts.join(", ")}.`;
}

export function StatisticsPage() {
  const { project } = useSearch({ strict: false });
  const usage = useQuery(usageQuery(project === OUTSIDE ? undefined : project));
  const may = useMay();
  const traps = useQuery(trapsQuery(place(project)));
  const stats = usage.data;
  const measured = discovery(stats?.discovery_measured);
  return (
    <Page title="Statistics" about={project === undefined ? "Of everything you may read." : `Of ${project}.`}>
      {usage.error ? <Failed cause={usage.error} onRetry={() => void usage.refetch()} /> : !stats ? <Loading /> : (
        <>
          <dl className="figures">
            <Figure name="Memories" value={count(stats.total_memories)} />
            <Figure name="Passages of files" value={count(stats.total_passages)} />
            <Figure name="Average confidence" value={stats.avg_confidence_score === null ? "–" : `${Math.round(stats.avg_confidence_score * 100)}%`} />
            <Figure name="Contexts given" value={count(stats.contexts)} />
            <Figure name="Memories in them" value={count(stats.memories_injected)} />
            <Figure name="Searches" value={count(stats.search_memory_calls)} />
            <Figure name="Hits" value={count(stats.memory_hits)} />
            <Figure name="Agent sessions" value={count(stats.sessions)} />
            {stats.module_map_coverage !== null && <Figure name="Modules well known" value={`${Math.round(stats.module_map_coverage * 100)}%`} />}
          </dl>
          {stats.storage !== null && (
            <section className="card saved">
              <h2>What is kept</h2>
              <Kept whose="You keep" versions={stats.storage.versions} bytes={stats.storage.bytes} mostVersions={stats.storage.quota_memories} mostBytes={stats.storage.quota_bytes} />
              {stats.storage.store !== null && (
                <Kept whose={`All of this store (${counted(stats.storage.store.users, "user")})`} versions={stats.storage.store.versions} bytes={stats.storage.store.bytes} mostVersions={stats.storage.store.quota_memories} mostBytes={stats.storage.store.quota_bytes} />
              )}
              <p className="hint">Each version of a memory counts, also of what was forgotten and not erased. Who has reached a quota can still read, forget and erase.</p>
            </section>
          )}
          <section className="card saved">
            <h2>Reading before work</h2>
            {measured !== null && <p>{measured}</p>}
            <p className="faint">Estimated, not measured: {count(stats.discovery_tokens_saved)} tokens saved. Without memory, agents would have read at most {count(stats.discovery_tokens_without_memory)} tokens of indexed files to find what they were given; memory gave them {count(stats.discovery_tokens_with_memory)}.</p>
          </section>
        </>
      )}
      <h2 className="section-title">Traps shown to agents most often</h2>
      {traps.error ? <Failed cause={traps.error} /> : traps.data?.length === 0 ? <p className="faint">No trap was shown to an agent yet.</p>
        : <ol className="lines" aria-label="Traps shown to agents most often">{traps.data?.map((memory) => <li key={memory.id}><MemoryCard memory={memory}><p className="hint">Shown {counted(memory.use_count, "time")}</p></MemoryCard></li>)}</ol>}
      {may("manage") && <Quality />}
    </Page>
  );
}

/** What `holdfast eval` measured, for who manages the store. */
function Quality() {
  const quality = useQuery(qualityQuery);
  return (
    <>
      <h2 className="section-title">Measured quality</h2>
      {quality.error ? <Failed cause={quality.error} /> : quality.data?.length === 0 ? <p className="faint">Nothing was measured here yet. <code>holdfast eval</code> measures recall with questions of your own.</p> : (
        <div className="table-scroll"><table className="table">
          <thead><tr><th>Metric</th><th className="number">Value</th><th className="number">Target</th><th className="number">Cases</th><th>By</th><th>When</th></tr></thead>
          <tbody>{quality.data?.map((metric) => (
            <tr key={`${metric.name} ${metric.at}`}>
              <td>{metric.name}</td><td className="number">{(metric.value * 100).toFixed(1)}%</td>
              <td className="number"><span className={metric.passed ? "badge good" : "badge warn"}>{metric.at_most ? "≤" : "≥"} {(metric.target * 100).toFixed(0)}%</span></td>
              <td className="number">{count(metric.sample_size)}</td><td>{metric.evaluator}</td><td><Time at={metric.at} /></td>
            </tr>
          ))}</tbody>
        </table></div>
      )}
    </>
  );
}

interface KeptProps {
  whose: string;
  versions: number;
  bytes: number;
  /** The quotas, 0 for none. */
  mostVersions: number;
  mostBytes: number;
}

/** How much is kept, and how much of the quotas that is. */
function Kept({ whose, versions, bytes, mostVersions, mostBytes }: KeptProps) {
  const megabytes = (size: number, digits: number): string => (size / 1e6).toLocaleString("en", { maximumFractionDigits: digits });
  const share = Math.max(mostVersions > 0 ? versions / mostVersions : 0, mostBytes > 0 ? bytes / mostBytes : 0);
  return (
    <div className="kept">
      <p>
        <strong>{whose}</strong> {count(versions)}{mostVersions > 0 && ` of ${count(mostVersions)}`} versions, {megabytes(bytes, 1)}{mostBytes > 0 && ` of ${megabytes(mostBytes, 0)}`} MB
        {mostVersions + mostBytes === 0 ? <span className="faint">, no quota</span> : share >= 0.9 && <span className="badge warn">{share >= 1 ? "Full" : "Nearly full"}</span>}
      </p>
      {share > 0 && <div className="meter" aria-hidden><span style={{ width: `${Math.min(100, share * 100)}%` }} /></div>}
    </div>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return <div className="card figure"><dt>{name}</dt><dd>{value}</dd></div>;
}
