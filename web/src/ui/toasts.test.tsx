// @vitest-environment jsdom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { toast, Toasts } from "./toasts";

afterEach(cleanup);

test("of many decisions shows the last, beside other messages", async () => {
  act(() => {
    toast("Saved.");
    toast("Approved.", { label: "Undo", run: () => undefined }, "decision");
    toast("Rejected.", { label: "Undo", run: () => undefined }, "decision");
  });
  render(<Toasts />);
  expect(await screen.findByText("Rejected.")).toBeTruthy();
  expect(screen.queryByText("Saved.")).toBeTruthy();
  expect(screen.queryByText("Approved.")).toBeNull();
});
