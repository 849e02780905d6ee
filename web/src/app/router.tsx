// Addresses and what they show; each place is loaded when it is first visited.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, retainSearchParams } from "@tanstack/react-router";
import { Failed, Empty } from "@/ui/States";
import { only, parseWords, writeWords, type Words } from "./search";
import { Shell } from "./Shell";

const root = createRootRoute({
  component: Shell,
  validateSearch: only("project", "memory"),
  search: { middlewares: [retainSearchParams(["project"])] },
  notFoundComponent: () => <Empty title="There is no such page"><p>Go on from the places on the left, or press <kbd>Ctrl</kbd> <kbd>K</kbd>.</p></Empty>,
  errorComponent: ({ error, reset }) => <Failed cause={error} onRetry={reset} />,
});

const routes = [
  createRoute({
    getParentRoute: () => root, path: "/",
    validateSearch: only("q", "kinds", "since", "until", "include", "flagged"),
    component: lazyRouteComponent(() => import("@/search/SearchPage"), "SearchPage"),
  }),
  createRoute({
    getParentRoute: () => root, path: "/conversations",
    component: lazyRouteComponent(() => import("@/conversations/ConversationsPage"), "ConversationsPage"),
  }),
  createRoute({
    getParentRoute: () => root, path: "/conversations/$session",
    component: lazyRouteComponent(() => import("@/conversations/ConversationPage"), "ConversationPage"),
  }),
  createRoute({
    getParentRoute: () => root, path: "/inbox",
    component: lazyRouteComponent(() => import("@/inbox/InboxPage"), "InboxPage"),
  }),
  createRoute({
    getParentRoute: () => root, path: "/context",
    validateSearch: only("task", "budget"),
    component: lazyRouteComponent(() => import("@/context/ContextPage"), "ContextPage"),
  }),
  createRoute({
    getParentRoute: () => root, path: "/statistics",
    component: lazyRouteComponent(() => import("@/statistics/StatisticsPage"), "StatisticsPage"),
  }),
  createRoute({
    getParentRoute: () => root, path: "/audit",
    component: lazyRouteComponent(() => import("@/audit/AuditPage"), "AuditPage"),
  }),
];

export function makeRouter() {
  return createRouter({
    routeTree: root.addChildren(routes),
    parseSearch: (search) => parseWords(search),
    stringifySearch: (search) => writeWords(search as Words),
    defaultPreload: "intent",
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
