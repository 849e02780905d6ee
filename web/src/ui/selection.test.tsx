// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { SelectBar, Tick } from "./SelectBar";
import { useSelection } from "./selection";
import { useKeys } from "./useKeys";

afterEach(cleanup);
vi.stubGlobal("CSS", { escape: (name: string) => name }); // jsdom has none

function List({ ids }: { ids: string[] }) {
  const selection = useSelection(ids);
  useKeys({ J: () => selection.extend(1) });
  return (
    <main id="page">
      <SelectBar selection={selection} count={ids.length} label="Selected">{selection.chosen.join(" ")}</SelectBar>
      {ids.map((id) => <div key={id} data-row={id}><Tick selection={selection} id={id} label={id} /><button type="button" data-step>{id}</button></div>)}
    </main>
  );
}

test("ticks one by one, all, and a range by keyboard; what has gone is no longer chosen", async () => {
  const user = userEvent.setup();
  const { rerender } = render(<List ids={["a", "b", "c"]} />);
  await user.click(screen.getByLabelText("Select b"));
  expect(screen.getByRole("toolbar").textContent).toBe("1 selectedb");
  await user.click(screen.getByLabelText("1 selected"));
  expect(screen.getByRole("toolbar").textContent).toBe("3 selecteda b c");
  await user.click(screen.getByLabelText("3 selected"));
  expect(screen.getByRole("toolbar").textContent).toBe("Select all");
  screen.getByRole("button", { name: "a" }).focus();
  await user.keyboard("{Shift>}J{/Shift}");
  expect(screen.getByRole("toolbar").textContent).toBe("2 selecteda b");
  expect(document.activeElement?.textContent).toBe("b");
  rerender(<List ids={["b", "c"]} />);
  expect(screen.getByRole("toolbar").textContent).toBe("1 selectedb");
});
