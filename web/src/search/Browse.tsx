// All memories of a place, newest first, however many: only what is in sight is drawn.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { Undo2 } from "lucide-react";
import { useMemo } from "react";
import { useMay } from "@/app/session";
import { MemoryCard } from "@/memory/MemoryCard";
import { useMemoryActs } from "@/memory/queries";
import { useChangeable } from "@/memory/rights";
import { SelectedMemories } from "@/memory/SelectedMemories";
import { titleOf } from "@/memory/who";
import { Button } from "@/ui/Button";
import { Empty, Failed, Loading } from "@/ui/States";
import { Tick } from "@/ui/SelectBar";
import { VirtualList } from "@/ui/VirtualList";
import { listQuery, type Narrowed } from "./queries";
import { useSelectingMemories, type Selecting } from "./selecting";

export function Browse({ listed, ...mode }: { listed: Narrowed } & Selecting) {
  const { memory: selected } = useSearch({ strict: false });
  const found = useInfiniteQuery(listQuery(listed));
  const acts = useMemoryActs();
  const may = useMay();
  const memories = useMemo(() => found.data?.pages.flatMap((page) => page.memories) ?? [], [found.data]);
  const selection = useSelectingMemories(useMemo(() => memories.map(({ id }) => id), [memories]), mode);
  const forgotten = useMemo(() => memories.filter(({ deleted_at: at }) => at !== null).map(({ id }) => id), [memories]);
  const gone = useChangeable(forgotten, may("write"));
  if (found.isPending) return <Loading rows={8} />;
  if (found.error) return <Failed cause={found.error} onRetry={() => void found.refetch()} />;
  if (memories.length === 0) return <Empty title="Nothing here"><p>No memory fits the project and filters. Clear the filters, or look at all projects.</p></Empty>;
  return (
    <>
      {mode.selecting && <SelectedMemories memories={memories} selection={selection} count={selection.allowed.size} onDone={() => mode.onSelecting(false)} />}
      <VirtualList
        label="Memories" items={memories} estimate={92} keyOf={(memory) => memory.id}
        onEnd={found.hasNextPage && !found.isFetchingNextPage ? () => void found.fetchNextPage() : undefined}
        render={(memory) => (
          <MemoryCard
            memory={memory} selected={memory.id === selected || (mode.selecting && selection.has(memory.id))}
            before={mode.selecting && <Tick selection={selection} id={memory.id} allowed={selection.allowed.has(memory.id)} label={titleOf(memory) ?? memory.text.slice(0, 60)} />}
            after={memory.deleted_at !== null && gone.has(memory.id) && <div className="acts"><Button icon={Undo2} onClick={() => void acts.restore(memory)}>Bring back</Button></div>}
          />
        )}
      />
    </>
  );
}
