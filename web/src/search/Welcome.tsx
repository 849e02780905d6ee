// The first run: three ways to fill an empty memory.
import { Bot, Import, Sparkles } from "lucide-react";
import { CopyLine } from "@/ui/Copy";

export function Welcome() {
  return (
    <div className="welcome">
      <h2>Nothing is remembered yet</h2>
      <p>Holdfast keeps what you tell it on this machine, and finds it again. Three ways to begin:</p>
      <div className="cards">
        <section className="card">
          <Import size={20} aria-hidden />
          <h3>Bring in what you have</h3>
          <p>Chats of ChatGPT and Claude, notes, memories of other programs.</p>
          <CopyLine text="holdfast import export.zip" />
        </section>
        <section className="card">
          <Bot size={20} aria-hidden />
          <h3>Set up your agent</h3>
          <p>It then remembers and recalls by itself, in your projects only.</p>
          <CopyLine text="holdfast mcp install claude-code" />
        </section>
        <section className="card">
          <Sparkles size={20} aria-hidden />
          <h3>Look around first</h3>
          <p>A memory filled with a chat and documents; nothing of it stays.</p>
          <CopyLine text="holdfast try --serve" />
        </section>
      </div>
      <p className="hint">Or press <kbd>c</kbd> and write down the first thing.</p>
    </div>
  );
}
