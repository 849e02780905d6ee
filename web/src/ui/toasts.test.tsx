// @vitest-environment jsdom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { toast, Toasts } from "./toasts";

/** Milliseconds that a busy machine may need for the part that is loaded when the first message comes. */
const PATIENCE = 30_000;

afterEach(cleanup);

test("of many decisions shows the last, beside other messages", async () => {
  act(() => {
    toast("Saved.");
    toast("Approved.", { label: "Undo", run: () => undefined }, "decision");
    toast("Rejected.", { label: "Undo", run: () => undefined }, "decision");
  });
  render(<Toasts />);
  expect(await screen.findByText("Rejected.", {}, { timeout: PATIENCE })).toBeTruthy();
  expect(screen.queryByText("Saved.")).toBeTruthy();
  expect(screen.queryByText("Approved.")).toBeNull();
}, 2 * PATIENCE);
