// The first run: three ways to fill an empty memory.
import { Link } from "@tanstack/react-router";
import { Bot, Import, Sparkles } from "lucide-react";
import { OUTSIDE } from "@/api/place";
import { useMay } from "@/app/session";
import { installing } from "@/settings/installing";
import { CopyLine } from "@/ui/Copy";

export function Welcome({ project }: { project: string | undefined }) {
  const may = useMay();
  const here = project === undefined || project === OUTSIDE ? null : project;
  return (
    <div className="welcome">
      <h2>{here === null ? "Nothing is remembered yet" : `Nothing is in ${here} yet`}</h2>
      <p>Holdfast keeps what you and your agents tell it, and finds it again. Three ways to begin:</p>
      <div className="cards">
        <section className="card">
          <Import size={20} aria-hidden />
          <h3>Bring in what you have</h3>
          <p>Chats of ChatGPT and Claude, notes, memories of other programs.</p>
          {may("imports") && <Link to="/sources" search={{ project }} className="button primary">Choose a file</Link>}
          <CopyLine text={`holdfast import export.zip${here === null ? "" : ` --project ${here}`}`} />
        </section>
        <section className="card">
          <Bot size={20} aria-hidden />
          <h3>Set up your agent</h3>
          <p>It then remembers and recalls by itself, in your projects only.</p>
          <CopyLine text={installing("claude-code")} />
        </section>
        <section className="card">
          <Sparkles size={20} aria-hidden />
          <h3>Look around first</h3>
          <p>A memory filled with a chat and documents, on a page of its own; nothing of it stays.</p>
          <CopyLine text="holdfast try --serve" />
        </section>
      </div>
      {may("write") && <p className="hint">Or press <kbd>c</kbd> and write down the first thing.</p>}
    </div>
  );
}
