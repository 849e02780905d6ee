// The projects that the caller may see.
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";

export const projectsQuery = queryOptions({
  queryKey: ["projects"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/v1/projects", { signal }))).projects,
  staleTime: 30_000,
});
