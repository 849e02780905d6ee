import { expect, test } from "vitest";
import { each } from "./each";

test("does something for each of many, a few at a time, and goes on after one that fails", async () => {
  let running = 0;
  let most = 0;
  const { done, problem } = await each([1, 2, 3, 4, 5, 6, 7, 8, 9], async (item) => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    if (item % 4 === 0) throw new Error(`no ${item}`);
  });
  expect(done.toSorted()).toEqual([1, 2, 3, 5, 6, 7, 9]);
  expect(problem).toEqual(new Error("no 4"));
  expect(most).toBeLessThanOrEqual(4);
  expect(await each([], () => Promise.resolve())).toEqual({ done: [], problem: null });
});
