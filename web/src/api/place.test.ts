import { expect, test } from "vitest";
import { OUTSIDE, place } from "@/api/place";

test("an address names every project, one, or none", () => {
  expect(place(undefined)).toEqual({ project: "*" });
  expect(place("shop")).toEqual({ project: "shop" });
  expect(place(OUTSIDE)).toEqual({});
});
