import { expect, test } from "vitest";
import type { Hit } from "@/api/types";
import { grouped } from "./grouping";

function hit(id: string, memory: object, confidence = 0.9): Hit {
  return { memory: { id, session: null, metadata: {}, scope: { type: "global", id: null }, ...memory }, confidence, conversation: null } as Hit;
}

test("groups hits by conversation and file, in the order of their best", () => {
  const hits = [
    hit("1", { metadata: { file: "a.py" } }), hit("2", { session: "s" }), hit("3", {}),
    hit("4", { metadata: { file: "a.py" } }), hit("5", {}),
  ];
  expect(grouped(hits).map(({ sort, hits: inside }) => [sort, inside.map(({ memory }) => memory.id)])).toEqual([
    ["file", ["1", "4"]], ["conversation", ["2"]], ["alone", ["3"]], ["alone", ["5"]],
  ]);
});
