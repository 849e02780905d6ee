// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { dayText, Time, timeText } from "./Time";

afterEach(cleanup);

const NOW = new Date("2026-11-23T12:00:00Z");

test.each([
  ["2026-11-23T11:59:58Z", "just now"],
  ["2026-11-23T09:00:00Z", "3h ago"],
  ["2026-11-20T12:00:00Z", "3d ago"],
  ["2026-10-13T12:00:00Z", "Oct 13"],
  ["2024-10-13T12:00:00Z", "Oct 13, 2024"],
])("says %s as %s", (iso, text) => {
  expect(timeText(iso, NOW)).toBe(text);
});

test("shows what is no time as it is written", () => {
  render(<Time at="soon" />);
  expect(screen.getByText("soon")).toBeTruthy();
  expect(dayText("last spring")).toBe("last spring");
});
