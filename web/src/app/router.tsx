// Addresses and what they show; but for search, each place is loaded when it is first visited.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, retainSearchParams } from "@tanstack/react-router";
import { SearchPage } from "@/search/SearchPage";
import { Page } from "@/ui/Page";
import { Failed, Empty } from "@/ui/States";
import { only, parseWords, writeWords, type Words } from "./search";
import { Shell } from "./Shell";

const root = createRootRoute({
  component: Shell,
  validateSearch: only("project", "memory", "edit"),
  search: { middlewares: [retainSearchParams(["project"])] },
  notFoundComponent: () => (
    <Page title="There is no such page"><Empty title="Nothing is at this address"><p>Go on from the places on the left, or press <kbd>Ctrl</kbd> <kbd>K</kbd>.</p></Empty></Page>
  ),
  errorComponent: ({ error, reset }) => <Failed cause={error} onRetry={reset} />,
});

const routes = [
  createRoute({
    getParentRoute: () => root, path: "/",
    validateSearch: only("q", "kinds", "origins", "owner", "status", "since", "until", "trust", "flagged", "asof"),
    component: SearchPage,
  }),
  createRoute({
    getParentRoute: () => root, path: "/conversations",
    validateSearch: only("archived"),
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
    validateSearch: only("task", "budget", "role"),
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
  createRoute({
    getParentRoute: () => root, path: "/about",
    validateSearch: only("name"),
    component: lazyRouteComponent(() => import("@/about/AboutPage"), "AboutPage"),
  }),
  createRoute({
    getParentRoute: () => root, path: "/projects",
    component: lazyRouteComponent(() => import("@/projects/ProjectsPage"), "ProjectsPage"),
  }),
  createRoute({
    getParentRoute: () => root, path: "/sources",
    component: lazyRouteComponent(() => import("@/sources/SourcesPage"), "SourcesPage"),
  }),
  createRoute({
    getParentRoute: () => root, path: "/members",
    component: lazyRouteComponent(() => import("@/members/MembersPage"), "MembersPage"),
  }),
  createRoute({
    getParentRoute: () => root, path: "/settings",
    component: lazyRouteComponent(() => import("@/settings/SettingsPage"), "SettingsPage"),
  }),
  createRoute({
    getParentRoute: () => root, path: "/timeline",
    validateSearch: only("by", "month", "day"),
    component: lazyRouteComponent(() => import("@/timeline/TimelinePage"), "TimelinePage"),
  }),
  createRoute({
    getParentRoute: () => root, path: "/map",
    validateSearch: only("view", "hide", "of"),
    component: lazyRouteComponent(() => import("@/map/MapPage"), "MapPage"),
  }),
  createRoute({
    getParentRoute: () => root, path: "/modules",
    component: lazyRouteComponent(() => import("@/modules/ModulesPage"), "ModulesPage"),
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
