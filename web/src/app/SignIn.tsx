// The page before the shell where a credential is needed.
import { useQueryClient } from "@tanstack/react-query";
import { KeyRound, LogIn } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button } from "@/ui/Button";
import { CopyLine } from "@/ui/Copy";
import { problemText } from "@/ui/States";
import { cameByUsedLink, sessionQuery, signInWithKey, type SignedIn } from "./session";

const REFUSED: Record<string, string> = {
  not_a_member: "You signed in, but are not a member of this team. An owner or admin adds you.",
  provider_unavailable: "Your provider does not answer at the moment. Try again in a while, or use a key.",
};

const ENDED = new Set(["credential_expired", "credential_invalid"]);

function firstProblem({ code: ended }: SignedIn): string | null {
  if (cameByUsedLink()) return "The link was used already, or is older than five minutes. The command below makes a new one.";
  const code = /^#error=(\w+)$/.exec(location.hash)?.[1];
  if (code !== undefined) return REFUSED[code] ?? "Signing in did not work. Try again.";
  return ended !== undefined && ENDED.has(ended) ? "Your session has ended. Sign in again." : null;
}

export function SignIn({ session }: { session: SignedIn }) {
  const queries = useQueryClient();
  const [key, setKey] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(() => firstProblem(session));
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => void field.current?.focus(), []);
  useLayoutEffect(() => {
    // a link that is pasted into a page that is open already
    const arrive = (): void => {
      if (location.hash.startsWith("#open=")) void queries.resetQueries({ queryKey: sessionQuery.queryKey });
    };
    addEventListener("hashchange", arrive);
    return () => removeEventListener("hashchange", arrive);
  }, [queries]);
  const signIn = async (): Promise<void> => {
    setBusy(true);
    try {
      queries.setQueryData(sessionQuery.queryKey, await signInWithKey(key.trim()));
    } catch (cause) {
      setProblem(problemText(cause));
      setBusy(false);
    }
  };
  return (
    <main className="lonely">
      <div className="card sign-in">
        <img src="/favicon.svg" alt="" width="40" height="40" />
        <h1>Sign in to Holdfast</h1>
        {problem !== null && <p role="alert" className="form-problem">{problem}</p>}
        {session.ways.includes("oidc") && <a className="button primary" href="/auth/oidc"><LogIn size={15} aria-hidden />Sign in with your provider</a>}
        {session.ways.includes("key") && (
          <form onSubmit={(event) => {
            event.preventDefault();
            void signIn();
          }}>
            <label>API key<input ref={field} type="password" autoComplete="off" spellCheck={false} value={key} onChange={(event) => setKey(event.target.value)} placeholder="holdfast_…" /></label>
            <Button type="submit" look="primary" icon={KeyRound} disabled={busy || key.trim() === ""}>Sign in</Button>
          </form>
        )}
        {session.ways.includes("link") && <div><p>On the machine that runs it, this opens a page that is signed in:</p><CopyLine text="holdfast open" /></div>}
      </div>
    </main>
  );
}
