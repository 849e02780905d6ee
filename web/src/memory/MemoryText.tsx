// The text of a memory as it was meant: Markdown, or what stands in a file of code, line by line.
import type { Memory } from "@/api/types";
import { Markdown } from "@/ui/Markdown";
import { isVerbatim } from "./verbatim";

export function MemoryText({ memory }: { memory: Memory }) {
  return isVerbatim(memory) ? <div className="prose"><pre><code>{memory.text}</code></pre></div> : <Markdown text={memory.text} />;
}
