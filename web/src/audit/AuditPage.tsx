// Who did what, newest first, in a chain of digests that anybody may verify.
import { infiniteQueryOptions, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useMemo } from "react";
import { Link } from "@tanstack/react-router";
import { api, unwrap } from "@/api/client";
import { useSession } from "@/app/session";
import { useVisible } from "@/memory/rights";
import { actorName } from "@/memory/who";
import { Button } from "@/ui/Button";
import { Empty, Failed, Loading, problemText } from "@/ui/States";
import { Time } from "@/ui/Time";
import { VirtualList } from "@/ui/VirtualList";
import { aboutOf, memoryOf } from "./words";

const PAGE = 200;

const eventsQuery = infiniteQueryOptions({
  queryKey: ["memories", "audit"],
  queryFn: async ({ pageParam, signal }) =>
    (await unwrap(api.GET("/v1/audit/events", {
      params: { query: { newest_first: true, limit: PAGE, ...(pageParam !== null && { before: pageParam }) } }, signal,
    }))).events,
  initialPageParam: null as number | null,
  getNextPageParam: (page) => {
    const last = page.at(-1)?.sequence ?? 1;
    return last > 1 ? last : null;
  },
});

/** Acts in words, where their name is not one. */
const ACTS: Record<string, string> = {
  remember: "remembered", remember_batch: "remembered several", extract: "found in what was said", create_session: "began a conversation",
  rename_session: "named a conversation", create_project: "made a project", approve: "approved", reject: "rejected", revise: "changed",
  forget: "forgot", restore: "brought back", erase: "erased for good", pin: "pinned", unpin: "unpinned", import: "imported", move: "moved",
  use: "was given", index_batch: "read files", add_source: "added a source", supersede: "replaced", merge: "confirmed again", sign_in: "signed in",
  sign_out: "signed out", create_key: "made a key", revoke_key: "ended a key", confirm: "confirmed", redact: "blacked out a version",
  add_member: "added a member", set_role: "changed a role", remove_member: "removed a member", add_folder: "added a folder",
  clean: "took secrets out of a version", keep_found: "kept what a scan found", reopen_found: "took back to keep what a scan found", scan: "scanned what was stored",
  open_files: "opened files", scan_map: "scanned code",
  hold: "let it wait again", ask_to_share: "asked to share", promote: "shared", decline_sharing: "declined to share", withdraw_sharing: "no longer asks to share",
  archive_session: "archived a conversation", unarchive_session: "brought a conversation back", delete_session: "deleted a conversation",
  archive_project: "archived a project", unarchive_project: "brought a project back", delete_project: "deleted a project",
  restore_project: "brought a deleted project back", switch_project: "switched a project on or off", remove_folder: "let a folder go",
  feedback: "said whether it helped", wrong: "marked as wrong", update_project: "changed a project", update_session: "changed conversations",
};

const ACTORS: Record<string, string> = { extraction: "Rules", system: "The service" };

/** Returns who did it in words, also for parts of the program, which act as somebody: `agent:extraction@ana`. */
function nameOf(actor: string, me: string | null): string {
  const name = actorName(actor, me);
  return ACTORS[name] ?? name;
}

export function AuditPage() {
  const { user } = useSession();
  const found = useInfiniteQuery(eventsQuery);
  const events = useMemo(() => found.data?.pages.flat() ?? [], [found.data]);
  const visible = useVisible(useMemo(() => [...new Set(events.flatMap((event) => memoryOf(event) ?? []))], [events]));
  const verified = useMutation({ mutationFn: () => unwrap(api.GET("/v1/audit/verify")) });
  return (
    <>
      <header className="page-head">
        <div className="page-title">
          <h1>Audit</h1>
          <p className="grow">Every act, newest first, in a chain that shows if one was changed or taken out.</p>
          <Button icon={ShieldCheck} disabled={verified.isPending} onClick={() => verified.mutate()}>{verified.isPending ? "Verifying…" : "Verify the chain"}</Button>
        </div>
        {verified.data && <p className="note good" role="status">The chain is whole: {verified.data.events.toLocaleString("en")} events.</p>}
        {verified.error && <p className="note warn" role="alert">{problemText(verified.error)}</p>}
      </header>
      {found.isPending ? <Loading rows={10} />
        : found.error ? <Failed cause={found.error} onRetry={() => void found.refetch()} />
          : events.length === 0 ? <Empty title="Nothing happened yet" />
            : (
              <VirtualList
                label="Events" items={events} estimate={38} keyOf={(event) => String(event.sequence)}
                onEnd={found.hasNextPage && !found.isFetchingNextPage ? () => void found.fetchNextPage() : undefined}
                render={(event) => (
                  <div className="event">
                    <span className="number faint event-number">{event.sequence}</span>
                    <span className="clip">{nameOf(event.actor, user)}</span>
                    <strong title={event.action}>{ACTS[event.action] ?? event.action.replaceAll("_", " ")}</strong>
                    <span className="clip event-subject" title={event.subject ?? undefined}>{visible.has(memoryOf(event) ?? "")
                      && <Link to="." search={(search) => ({ ...search, memory: event.subject ?? undefined })} data-step>{visible.get(memoryOf(event) ?? "") || "Show the memory"}</Link>} {aboutOf(event)}</span>
                    <code className="clip faint event-hash" title={event.hash}>{event.hash.slice(0, 12)}</code>
                    <Time at={event.at} />
                  </div>
                )}
              />
            )}
    </>
  );
}
