// What stands where a list would be: nothing yet, loading, failed, offline.
import { CloudOff, Lock, SearchX, TriangleAlert, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Problem } from "@/api/client";
import { Button } from "./Button";
import { sentence } from "./sentence";

interface EmptyProps {
  title: string;
  icon?: LucideIcon;
  children?: ReactNode;
}

export function Empty({ title, icon: Icon = SearchX, children }: EmptyProps) {
  return (
    <div className="state">
      <Icon size={22} aria-hidden />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Grey lines in the place of what is on its way; read aloud as one word. */
export function Loading({ rows = 5, label = "Loading" }: { rows?: number; label?: string }) {
  return (
    <div className="loading" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton"><span /><span /><span /></div>
      ))}
    </div>
  );
}

export function problemText(cause: unknown): string {
  if (!(cause instanceof Error)) return "Something went wrong.";
  const hint = cause instanceof Problem && cause.hint !== null ? ` ${sentence(cause.hint)}` : "";
  return sentence(cause.message) + hint;
}

export function Failed({ cause, onRetry }: { cause: unknown; onRetry?: () => void }) {
  const problem = cause instanceof Problem ? cause : null;
  const offline = problem?.code === "offline";
  const forbidden = problem?.status === 403;
  const title = offline ? "The service cannot be reached" : forbidden ? "You may not see this" : "This could not be loaded";
  return (
    <div className="state failed" role="alert">
      {offline ? <CloudOff size={22} aria-hidden /> : forbidden ? <Lock size={22} aria-hidden /> : <TriangleAlert size={22} aria-hidden />}
      <h2>{title}</h2>
      <p>{offline ? <>Start it with <code>holdfast serve</code>; this page goes on by itself.</> : problemText(cause)}</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
