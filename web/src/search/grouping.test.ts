import { expect, test } from "vitest";
import type { Hit } from "@/api/types";
import { grouped, split } from "./grouping";

function hit(id: string, memory: object, confidence = 0.9): Hit {
  return { memory: { id, session: null, metadata: {}, ...memory }, confidence, conversation: null } as Hit;
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

test("tells what answers from what was just missed, and always shows the best", () => {
  const { answers, missed } = split([hit("1", {}, 0.1), hit("2", {}, 0.8), hit("3", {}, 0.05)]);
  expect(answers.map(({ memory }) => memory.id)).toEqual(["1", "2"]);
  expect(missed.map(({ memory }) => memory.id)).toEqual(["3"]);
});
