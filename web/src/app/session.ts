// Who is signed in to this page, and how to come in.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { plain, Problem, setCsrf } from "@/api/client";

export interface SignedIn {
  signed_in: boolean;
  ways: string[];
  user: string | null;
  role: string | null;
  agent: string | null;
  projects: string[] | null;
  write: boolean;
  /** What the role allows: read, write, review, manage and the like. */
  may: string[] | null;
  csrf: string | null;
  /** The event behind which the stream of changes has all that the first pages do not show yet. */
  changes: string | null;
  local: boolean;
  /** Why the session of this browser is over. */
  code?: string;
}

export interface BrowserSession {
  id: string;
  name: string | null;
  created_at: string;
  expires_at: string;
  current: boolean;
}

/** A service without sign-in: whoever reaches it may use it. */
const OPEN: SignedIn = {
  signed_in: true, ways: [], user: null, role: null, agent: null, projects: null, write: true, may: null, csrf: null, changes: null, local: true,
};

function adopt(session: SignedIn): SignedIn {
  setCsrf(session.csrf);
  return session;
}

let usedLink = false;

/** Returns whether this page was opened with a link that no longer works. */
export function cameByUsedLink(): boolean {
  return usedLink;
}

/** Redeems the one-time link that this page was opened with, if any, and returns who is signed in. */
async function arrive(): Promise<SignedIn> {
  const code = /^#open=(.+)$/.exec(location.hash)?.[1];
  if (code !== undefined) {
    history.replaceState(history.state, "", location.pathname + location.search);
    try {
      return adopt(await plain<SignedIn>("POST", "/auth/open", { code }));
    } catch (problem) {
      if (!(problem instanceof Problem && problem.status === 401)) throw problem;
      usedLink = true;
    }
  }
  try {
    return adopt(await plain<SignedIn>("GET", "/auth/session"));
  } catch (problem) {
    if (problem instanceof Problem && problem.status === 404) return adopt(OPEN);
    throw problem;
  }
}

export const sessionQuery = queryOptions({ queryKey: ["session"], queryFn: arrive, staleTime: Infinity, retry: false });

/** Returns who is signed in; only below the shell, which waits for it. */
export function useSession(): SignedIn {
  return useQuery(sessionQuery).data ?? OPEN;
}

export type Need = "read" | "write" | "review" | "imports" | "jobs" | "audit" | "projects" | "manage";

/** What the service lets nobody but a person do, whatever the role. */
const IN_PERSON: readonly Need[] = ["manage", "projects", "review"];

/** Returns what says whether the role allows something, and an agent. What is not allowed is not offered; the service decides. */
export function useMay(): (need: Need) => boolean {
  const { may, agent } = useSession();
  return useCallback((need) => (may === null || may.includes(need)) && (agent === null || !IN_PERSON.includes(need)), [may, agent]);
}

export async function signInWithKey(key: string): Promise<SignedIn> {
  return adopt(await plain<SignedIn>("POST", "/auth/key", { key }));
}

export async function signOut(): Promise<void> {
  await plain("POST", "/auth/leave", {});
  setCsrf(null);
}
