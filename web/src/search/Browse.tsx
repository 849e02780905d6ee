// All memories of a place, newest first, however many: only what is in sight is drawn.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { MemoryCard } from "@/memory/MemoryCard";
import { Empty, Failed, Loading } from "@/ui/States";
import { VirtualList } from "@/ui/VirtualList";
import { listQuery, type Listed } from "./queries";

export function Browse({ listed }: { listed: Listed }) {
  const { memory: selected } = useSearch({ strict: false });
  const found = useInfiniteQuery(listQuery(listed));
  const memories = useMemo(() => found.data?.pages.flatMap((page) => page.memories) ?? [], [found.data]);
  if (found.isPending) return <Loading rows={8} />;
  if (found.error) return <Failed cause={found.error} onRetry={() => void found.refetch()} />;
  if (memories.length === 0) return <Empty title="Nothing here"><p>No memory fits the project and filters. Clear the filters, or look at all projects.</p></Empty>;
  return (
    <VirtualList
      label="Memories" items={memories} estimate={92} keyOf={(memory) => memory.id}
      onEnd={found.hasNextPage && !found.isFetchingNextPage ? () => void found.fetchNextPage() : undefined}
      render={(memory) => <MemoryCard memory={memory} selected={memory.id === selected} />}
    />
  );
}
