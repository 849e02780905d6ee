// The places of the application, as the sidebar and the command palette list them.
import { MessagesSquare, Search, type LucideIcon } from "lucide-react";

export interface Place {
  to: "/" | "/conversations";
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
];
