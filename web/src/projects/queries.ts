// The projects that the caller may see.
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";

export const projectsQuery = queryOptions({
  queryKey: ["projects"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/projects", { signal }))).projects,
  staleTime: 30_000,
});

export const archivedQuery = queryOptions({
  queryKey: ["projects", "archived"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/projects", { params: { query: { archived: true } }, signal }))).projects,
});

export const contentsQuery = (name: string) => queryOptions({
  queryKey: ["projects", name, "contents"],
  queryFn: ({ signal }) => unwrap(api.GET("/v1/projects/{name}/contents", { params: { path: { name } }, signal })),
});
