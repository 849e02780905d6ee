// Keeps what is shown current: the stream of changes says which queries are out of date.
import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { outdate, refreshAreas } from "./refresh";

export type Connection = "connecting" | "live" | "lost" | "unsupported";

/** What else is out of date when memories of an area change. */
const SHOWN_WITH: Record<string, string[]> = {
  memories: ["memories", "memory", "recall", "about", "entities", "usage"], facts: ["facts", "about"],
  deliveries: ["deliveries", "usage"],
};

interface ChangeData {
  memories: { id: string }[];
  areas: string[];
}

let connection: Connection = "connecting";
const listeners = new Set<() => void>();

function become(next: Connection): void {
  connection = next;
  listeners.forEach((tell) => tell());
}

/** Returns whether changes by others arrive at once. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => connection,
  );
}

/** Until which a stream that ended may open again before a message says so. */
const GRACE_MS = 3_000;

/** After which a stream that the service refused is opened again; twice as long after each refusal, up to the most. */
const REOPEN_MS = 3_000;
const REOPEN_MAX_MS = 60_000;

/** What the tab that follows the stream tells the other tabs of this browser. */
type Told = { kind: "connection"; connection: Connection } | { kind: "reset" } | { kind: "change"; change: ChangeData } | { kind: "hello" };

const CHANNEL = "holdfast-changes";

/**
 * Follows the stream of changes behind an event until the returned function is called. One tab of a browser holds the stream
 * and tells the others: a browser opens only six connections to a service, and each stream would hold one.
 */
export function follow(queries: QueryClient, after?: string | null): () => void {
  const apply = (told: Told): void => {
    if (told.kind === "connection") {
      if (connection === "lost" && told.connection === "live") void queries.refetchQueries({ predicate: ({ state }) => state.status === "error" });
      become(told.connection);
    } else if (told.kind === "reset") void outdate(queries);
    else if (told.kind === "change") {
      const areas = told.change.areas.flatMap((area) => SHOWN_WITH[area] ?? [area]);
      void refreshAreas(queries, areas, told.change.memories.map(({ id }) => id));
    }
  };
  // without them, as on pages that are neither encrypted nor local, each tab has a stream of its own
  if (!("locks" in navigator) || !("BroadcastChannel" in globalThis)) return open(apply, after);
  const channel = new BroadcastChannel(CHANNEL);
  const ending = new AbortController();
  let leads = false;
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.kind !== "hello") apply(data);
    else if (leads) channel.postMessage({ kind: "connection", connection } satisfies Told);
  };
  channel.postMessage({ kind: "hello" } satisfies Told);
  const lead = async (): Promise<void> => {
    leads = true;
    let tookOver = connection !== "connecting";
    const close = open((told) => {
      apply(told);
      channel.postMessage(told);
      if (!tookOver || told.kind !== "connection" || told.connection !== "live") return;
      // what changed between the stream of the tab before and this one was told to nobody
      tookOver = false;
      apply({ kind: "reset" });
      channel.postMessage({ kind: "reset" } satisfies Told);
    }, tookOver ? null : after);
    await new Promise<void>((resolve) => ending.signal.addEventListener("abort", () => resolve()));
    close();
  };
  navigator.locks.request(CHANNEL, { signal: ending.signal }, lead).catch(() => undefined);
  return () => {
    ending.abort();
    channel.close();
  };
}

/** Opens the stream, which goes on where it was after a pause, until the returned function is called. */
function open(tell: (told: Told) => void, after?: string | null): () => void {
  let stream: EventSource;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let pause = REOPEN_MS;
  let wasLive = false;
  const isBack = (event: MessageEvent<string>): void => {
    clearTimeout(waiting);
    waiting = undefined;
    pause = REOPEN_MS;
    wasLive = true;
    after = event.lastEventId;
    tell({ kind: "connection", connection: "live" });
  };
  const connect = (): void => {
    stream = new EventSource(after == null ? "/v1/stream" : `/v1/stream?after=${encodeURIComponent(after)}`);
    stream.addEventListener("ready", isBack);
    stream.addEventListener("reset", (event: MessageEvent<string>) => {
      isBack(event);
      tell({ kind: "reset" });
    });
    stream.addEventListener("change", (event: MessageEvent<string>) => {
      after = event.lastEventId;
      tell({ kind: "change", change: JSON.parse(event.data) as ChangeData });
    });
    stream.onerror = () => {
      if (stream.readyState === EventSource.CLOSED) {
        // the service refused it, as while its store fails: a browser does not try that again by itself
        tell({ kind: "connection", connection: wasLive ? "lost" : "unsupported" });
        reopening = setTimeout(connect, pause);
        pause = Math.min(2 * pause, REOPEN_MAX_MS);
      } else waiting ??= setTimeout(() => tell({ kind: "connection", connection: "lost" }), GRACE_MS);
    };
  };
  connect();
  return () => {
    clearTimeout(waiting);
    clearTimeout(reopening);
    stream.close();
  };
}
