import { expect, test } from "vitest";
import type { Memory } from "@/api/types";
import { trustInWords } from "./trustWords";

const memory = { confidence: 0.614, said_by: "person", use_count: 0, edited: false, pinned: false } as Memory;

test.each([
  [{}, "Trust: 61% sure. A person said it; not used yet."],
  [{ said_by: "agent", use_count: 3 }, "It comes from an agent; used 3 times."],
  [{ said_by: "web", edited: true, use_count: 1 }, "A person stands by it; used 1 time."],
])("explains %j", (change, words) => {
  expect(trustInWords({ ...memory, ...change })).toContain(words);
});
