// The command palette: every place, project and act by typing a few letters of it.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Keyboard, MessagesSquare, Moon, Plus, Search, Sun, type LucideIcon } from "lucide-react";
import { useId, useMemo, useState, type KeyboardEvent } from "react";
import { OUTSIDE } from "@/api/place";
import { projectsQuery } from "@/projects/queries";
import { Dialog } from "@/ui/Dialog";
import { useDebounced } from "@/ui/useDebounced";
import { recallQuery } from "@/search/queries";
import { PLACES } from "./places";
import type { Opened } from "./Shell";
import { useMay } from "./session";
import { applyTheme } from "./theme";

interface Entry {
  group: string;
  name: string;
  words: string;
  icon: LucideIcon;
  run: () => void;
}

interface Props {
  /** What was typed before the palette had arrived. */
  early: string;
  onClose: () => void;
  onOpen: (what: Opened) => void;
}

export function Palette({ early, onClose, onOpen }: Props) {
  const [typed, setTyped] = useState(early);
  const [active, setActive] = useState(0);
  const listId = useId();
  const entries = useEntries(typed, onOpen);
  const chosen = Math.min(active, entries.length - 1);
  const run = (entry: Entry | undefined): void => {
    onClose();
    entry?.run();
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown") setActive((chosen + 1) % entries.length);
    else if (event.key === "ArrowUp") setActive((chosen + entries.length - 1) % entries.length);
    else if (event.key === "Enter") run(entries[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Command palette" bare onClose={onClose} className="palette">
      <input
        className="palette-input" placeholder="Go to a place, switch the project, search…" aria-label="Command"
        role="combobox" aria-expanded aria-controls={listId} aria-activedescendant={`${listId}-${chosen}`} autoComplete="off"
        value={typed} onKeyDown={keys}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
      />
      <ul id={listId} role="listbox" aria-label="Commands" className="palette-list">
        {entries.map((entry, index) => (
          <li key={`${entry.group} ${entry.name} ${index}`} role="presentation">
            {entry.group !== entries[index - 1]?.group && <p className="palette-group" aria-hidden>{entry.group}</p>}
            {/* the keyboard works through the field above, as for every combobox */}
            {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events */}
            <div
              id={`${listId}-${index}`} role="option" tabIndex={-1} aria-selected={index === chosen} className="palette-item"
              ref={index === chosen ? (element) => void element?.scrollIntoView({ block: "nearest" }) : undefined}
              onPointerMove={() => setActive(index)} onClick={() => run(entry)}
            >
              <entry.icon size={15} aria-hidden /><span className="clip">{entry.name}</span>
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function useEntries(typed: string, onOpen: (what: Opened) => void): Entry[] {
  const navigate = useNavigate();
  const may = useMay();
  const projects = useQuery(projectsQuery).data;
  const query = useDebounced(typed.trim(), 120);
  const found = useQuery({ ...recallQuery({ query, project: "*", limit: 5 }), enabled: query.length > 2 });
  const fixed = useMemo((): Entry[] => [
    ...PLACES.flatMap(({ places }) => places.filter(({ need }) => need === undefined || may(need)).map(({ to, name, icon, words }): Entry => ({
      group: "Go to", name, words, icon,
      run: () => void navigate({ to, search: (search: { project?: string }) => (search.project === undefined ? {} : { project: search.project }) }),
    }))),
    ...(may("write") ? [{ group: "Do", name: "Remember something", words: "new add keep write", icon: Plus, run: () => onOpen("remember") }] : []),
    { group: "Do", name: "Show the keys", words: "help shortcuts keyboard", icon: Keyboard, run: () => onOpen("keys") },
    { group: "Do", name: "Light theme", words: "bright appearance", icon: Sun, run: () => applyTheme("light") },
    { group: "Do", name: "Dark theme", words: "night appearance", icon: Moon, run: () => applyTheme("dark") },
    ...[undefined, OUTSIDE, ...(projects ?? []).map(({ name }) => name)].map((name): Entry => ({
      group: "Look at", name: name === undefined ? "All projects" : name === OUTSIDE ? "Outside projects" : `Project ${name}`,
      words: "project switch", icon: Search,
      run: () => void navigate({ to: ".", search: (search) => ({ ...search, project: name, memory: undefined }) }),
    })),
  ], [navigate, onOpen, projects, may]);
  return useMemo(() => {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    const matching = fixed.filter(({ name, words: other }) => words.every((word) => `${name} ${other}`.toLowerCase().includes(word)));
    if (words.length === 0) return matching;
    const memories = (found.data?.hits ?? []).map(({ memory, conversation }): Entry => ({
      group: "Memories", name: (memory.title ?? memory.text).slice(0, 120), words: "",
      icon: conversation === null ? Search : MessagesSquare,
      run: () => void navigate({ to: "/", search: { q: typed, memory: memory.id } }),
    }));
    const everywhere: Entry = {
      group: "Search", name: `Search for “${typed}”`, words: "", icon: Search,
      run: () => void navigate({ to: "/", search: (search) => ({ q: typed, ...(search.project !== undefined && { project: search.project }) }) }),
    };
    return [...matching, everywhere, ...memories];
  }, [fixed, typed, found.data, navigate]);
}
