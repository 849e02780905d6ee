// A question before something that cannot be taken back.
import { useState, type ReactNode } from "react";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { problemText } from "./States";

interface Props {
  title: string;
  children: ReactNode;
  act: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

export function Confirm({ title, children, act, onConfirm, onClose }: Props) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const confirm = (): void => {
    setBusy(true);
    onConfirm().then(onClose, (cause: unknown) => {
      setBusy(false);
      setProblem(problemText(cause));
    });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="prose">{children}</div>
      {problem !== null && <p role="alert" className="form-problem">{problem}</p>}
      <footer className="dialog-foot">
        <Button data-first onClick={onClose}>Cancel</Button>
        <Button look="danger" onClick={confirm} disabled={busy}>{busy ? "Working…" : act}</Button>
      </footer>
    </Dialog>
  );
}
