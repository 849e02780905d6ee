// Imports, indexed folders, described files, and background work.
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema";

/** Query keys of what an import, a folder or a job may change. */
export const IMPORTED = ["sources", "folders", "jobs"];

export type Job = components["schemas"]["Job"];
export type Folder = components["schemas"]["FolderStatus"];
export type Source = components["schemas"]["Source"];

export const sourcesQuery = queryOptions({
  queryKey: ["sources"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/sources", { signal }))).sources.reverse(),
});

export const foldersQuery = queryOptions({
  queryKey: ["folders"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/folders", { signal }))).folders,
});

export const describedQuery = queryOptions({
  queryKey: ["described"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/described", { signal }))).sources.reverse(),
});

/** The folders of its machine that the service may read. */
export const rootsQuery = queryOptions({
  queryKey: ["described", "roots"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/described/roots", { signal }))).roots,
});

/** Within which a job that waits counts as about to begin. */
const SOON_MS = 5_000;

/** Returns whether a job runs or is about to; one that is planned for later does not. */
export function isAtWork(job: Job): boolean {
  return job.state === "running" || (job.state === "queued" && Date.parse(job.due_at ?? job.created_at) <= Date.now() + SOON_MS);
}

export const jobsQuery = queryOptions({
  queryKey: ["jobs"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/jobs", { params: { query: { limit: 50 } }, signal }))).jobs,
  // the stream of changes does not tell every step of a job
  refetchInterval: ({ state }) => (state.data?.some(isAtWork) ? 1_000 : state.data?.some((job) => job.state === "queued") ? 15_000 : false),
});

const PLATFORMS: Record<string, string> = {
  chatgpt: "ChatGPT", claude: "Claude", gemini: "Gemini", mem0: "mem0", letta: "Letta", zep: "Zep", basic_memory: "Basic Memory", claude_mem: "claude-mem",
};

/** Returns the name of a program as it writes it itself. */
export function platformName(platform: string): string {
  return PLATFORMS[platform] ?? platform.replaceAll("_", " ");
}
