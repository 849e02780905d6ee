// Which memories somebody may change, as the service says: what would be refused is not offered.
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema";

export type Rights = components["schemas"]["Rights"];

/** Memories that are asked about at once. */
const AT_ONCE = 500;

const rightsQuery = (ids: readonly string[]) => queryOptions({
  queryKey: ["rights", ...ids],
  queryFn: async ({ signal }) => (await unwrap(api.POST("/v1/review/rights", { body: { ids: [...ids] }, signal }))).rights,
  staleTime: 60_000,
});

/** Returns what may be done with one memory: nothing until the service has answered. */
export function useRights(id: string): { isPending: boolean; change: boolean; why: string | null } {
  const { data, isPending } = useQuery(rightsQuery([id]));
  return { isPending, change: data?.[0]?.change ?? false, why: data?.[0]?.why ?? null };
}

const changeable = (answers: { data: Rights[] | undefined }[]): ReadonlySet<string> =>
  new Set(answers.flatMap(({ data }) => data?.filter(({ change }) => change).map(({ id }) => id) ?? []));

const visible = (answers: { data: Rights[] | undefined }[]): ReadonlyMap<string, string> =>
  new Map(answers.flatMap(({ data }) => data?.map(({ id, text }) => [id, text] as const) ?? []));

function inParts(ids: readonly string[]): readonly string[][] {
  return Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, part) => ids.slice(part * AT_ONCE, (part + 1) * AT_ONCE));
}

/** Returns those of many memories that may be changed. Nothing is asked unless `wanted`. */
export function useChangeable(ids: readonly string[], wanted: boolean): ReadonlySet<string> {
  const parts = useMemo(() => wanted ? inParts(ids) : [], [ids, wanted]);
  return useQueries({ queries: parts.map(rightsQuery), combine: changeable });
}

/** Returns those of many memories that may be seen, forgotten ones included, with how each begins. */
export function useVisible(ids: readonly string[]): ReadonlyMap<string, string> {
  const parts = useMemo(() => inParts(ids), [ids]);
  return useQueries({ queries: parts.map(rightsQuery), combine: visible });
}

/** Why a memory cannot be changed, in words. */
export const REFUSED: Record<string, string> = {
  not_yours: "It belongs to somebody else: only they, or an admin, can change it.",
  edited_by_person: "A person pinned or edited it: only a person can change it.",
  review_by_person: "A person rejected it: only a person can change it.",
  person_needed: "Only a person can change it.",
};
