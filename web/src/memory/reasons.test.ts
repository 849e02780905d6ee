import { expect, test } from "vitest";
import { inWords } from "./reasons";

test.each([
  ["confidence 0.30 is below 0.60", "Only 30% sure"],
  ["flagged as wrong; confidence 0.20 is below 0.60", "Marked as wrong: now only 20% sure"],
  ["user_flagged: there is none", "Marked as wrong: there is none"],
  ["agent_flagged", "Marked as wrong by an agent"],
  ["kept for review as asked", "Proposed"],
  ["pending by hand", "Put back to decide again"],
  ["came from the web; it contradicts memory 01J9-ab", "Came from the web; it contradicts another memory"],
  ["outdated: moved to ten", "Outdated: moved to ten"],
])("says %j as %j", (reason, words) => {
  expect(inWords(reason)).toBe(words);
});
