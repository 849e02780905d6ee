// The places of the application, as the sidebar and the command palette list them.
import {
  Bot, Boxes, CalendarDays, ChartNoAxesColumn, FolderOpen, Import, Inbox, Map, MessagesSquare, ScrollText, Search, Settings, UserRound, Users,
  type LucideIcon,
} from "lucide-react";
import type { Need } from "./session";

export interface Place {
  to: "/" | "/conversations" | "/about" | "/timeline" | "/map" | "/modules"
    | "/inbox" | "/context" | "/projects" | "/sources" | "/members" | "/statistics" | "/audit" | "/settings";
  name: string;
  icon: LucideIcon;
  /** Other words that the palette finds it by. */
  words: string;
  /** Whether it shows how much waits there. */
  counted?: boolean;
  /** What the role must allow for it to be of use. */
  need?: Need;
}

export const PLACES: { title: string; places: Place[] }[] = [
  {
    title: "Look",
    places: [
      { to: "/", name: "Search", icon: Search, words: "find browse memories recall list" },
      { to: "/conversations", name: "Conversations", icon: MessagesSquare, words: "chats sessions messages" },
      { to: "/about", name: "About", icon: UserRound, words: "me beliefs profile person thing entity" },
      { to: "/timeline", name: "Timeline", icon: CalendarDays, words: "dates days history when" },
      { to: "/map", name: "Knowledge map", icon: Map, words: "graph cards topics types relations" },
      { to: "/modules", name: "Module map", icon: Boxes, words: "code files dependencies tests coverage" },
    ],
  },
  {
    title: "Decide",
    places: [
      { to: "/inbox", name: "Inbox", icon: Inbox, words: "review waiting approve reject proposals conflicts", counted: true },
      { to: "/context", name: "Context", icon: Bot, words: "what will my agent assistant get prompt tokens chat" },
    ],
  },
  {
    title: "Manage",
    places: [
      { to: "/projects", name: "Projects", icon: FolderOpen, words: "places archive purge switch off" },
      { to: "/sources", name: "Sources and jobs", icon: Import, need: "imports", words: "imports folders index files progress" },
      { to: "/members", name: "Members and keys", icon: Users, need: "manage", words: "team roles people access" },
      { to: "/statistics", name: "Statistics", icon: ChartNoAxesColumn, words: "stats numbers quality saved tokens" },
      { to: "/audit", name: "Audit", icon: ScrollText, need: "audit", words: "events chain verify who did what" },
      { to: "/settings", name: "Settings", icon: Settings, words: "theme health doctor sessions" },
    ],
  },
];
