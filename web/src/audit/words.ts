// What an event of the audit chain was about, in words.
import type { components } from "@/api/schema";
import { counted } from "@/ui/counted";

export type AuditEvent = components["schemas"]["Event"];

/** Acts whose subject is no memory, but a source, folder, session, project, map, key or job. */
const ELSEWHERE = /source|folder|index|session|project|map|open_files|job|import|key|sign_|model|disclosure/;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

/** Returns the memory that an event is about, if it is about one. */
export function memoryOf({ subject, action }: Pick<AuditEvent, "subject" | "action">): string | null {
  return subject !== null && ID.test(subject) && !ELSEWHERE.test(action) ? subject : null;
}

/** Returns what is known of an event beside its memory: whom it was about, or how many. */
export function aboutOf({ action, detail }: Pick<AuditEvent, "action" | "detail">): string {
  const text = (name: string): string | null => (typeof detail[name] === "string" ? detail[name] : null);
  const count = (name: string, thing: string): string | null => (typeof detail[name] === "number" && detail[name] > 0 ? counted(detail[name], thing) : null);
  const keys = (name: string): string[] => (typeof detail[name] === "object" && detail[name] !== null ? Object.keys(detail[name]) : []);
  if (action === "use") {
    const given = new Set([...keys("injected"), ...keys("uses")]).size;
    return given > 0 ? counted(given, "memory") : "";
  }
  const person = text("user");
  return [
    person !== null && (text("role") !== null ? `${person} (${text("role") ?? ""})` : person),
    action === "remember_batch" && count("count", Array.isArray(detail["kinds"]) && detail["kinds"].join() === "message" ? "message" : "memory"),
    action === "scan_map" && count("modules", "module"), count("files", "file"), count("messages", "message"),
    action === "ask_to_share" || action === "promote" ? `to ${text("visibility") ?? "others"}` : null,
  ].filter((part) => typeof part === "string").join(", ");
}
