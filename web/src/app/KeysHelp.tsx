// All keys on one page.
import { Dialog } from "@/ui/Dialog";

const KEYS: [string, [string, string][]][] = [
  ["Everywhere", [["Ctrl K", "Command palette"], ["/", "Search"], ["c", "Remember something"], ["j k", "Next, previous in a list"], ["Enter", "Open"], ["x", "Select, in search and conversations"], ["Shift J K", "Select a range"], ["?", "These keys"]]],
  ["In the detail panel", [["e", "Edit"], ["p", "Pin or unpin"], ["Delete", "Forget (can be undone)"], ["Esc", "Close"]]],
  ["In the inbox", [["a", "Approve"], ["r", "Reject"], ["b", "Keep both sides of a contradiction"], ["x", "Select"], ["u", "Undo the last decision"]]],
];

export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      {KEYS.map(([title, rows]) => (
        <section key={title} className="keys">
          <h3>{title}</h3>
          <dl>
            {rows.map(([keys, does]) => (
              <div key={keys}><dt>{keys.split(" ").map((key) => <kbd key={key}>{key}</kbd>)}</dt><dd>{does}</dd></div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
