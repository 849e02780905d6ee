// What reading a file or database changed, in words.
import type { Reconciled } from "@/api/types";

const SAID = ["created", "updated", "restored", "removed", "proposed", "kept", "failed", "refused", "skipped"] as const;

/** Returns one sentence about what reading a source changed. */
export function summary(result: Reconciled): string {
  const parts = SAID.filter((name) => result[name] > 0).map((name) => `${result[name].toLocaleString("en")} ${name}`);
  return `${result.name}: ${parts.length > 0 ? parts.join(", ") : "nothing has changed"}.`;
}
