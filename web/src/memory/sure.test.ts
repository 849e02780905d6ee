import { expect, test } from "vitest";
import { percentOf } from "./sure";

test.each([[0.605, 60], [0.6, 60], [0.61, 61], [0.615, 61], [0.95, 95], [1, 100], [0, 0]])("%d is %d percent, as in a context", (confidence, percent) => {
  expect(percentOf(confidence)).toBe(percent);
});
