// The places of the application, as the sidebar and the command palette list them.
import { Bot, ChartNoAxesColumn, Inbox, MessagesSquare, ScrollText, Search, type LucideIcon } from "lucide-react";

export interface Place {
  to: "/" | "/conversations" | "/inbox" | "/context" | "/statistics" | "/audit";
  name: string;
  icon: LucideIcon;
  /** Other words that the palette finds it by. */
  words: string;
  /** Whether it shows how much waits there. */
  counted?: boolean;
}

export const PLACES: { title: string; places: Place[] }[] = [
  {
    title: "Look",
    places: [
      { to: "/", name: "Search", icon: Search, words: "find browse memories recall list" },
      { to: "/conversations", name: "Conversations", icon: MessagesSquare, words: "chats sessions messages" },
    ],
  },
  {
    title: "Decide",
    places: [
      { to: "/inbox", name: "Inbox", icon: Inbox, words: "review waiting approve reject proposals conflicts", counted: true },
      { to: "/context", name: "Context", icon: Bot, words: "what will my agent get prompt tokens" },
    ],
  },
  {
    title: "Manage",
    places: [
      { to: "/statistics", name: "Statistics", icon: ChartNoAxesColumn, words: "stats numbers quality saved tokens" },
      { to: "/audit", name: "Audit", icon: ScrollText, words: "events chain verify who did what" },
    ],
  },
];
