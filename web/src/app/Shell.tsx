// The frame around every page: sidebar, page, detail panel, palette, messages.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Outlet, useRouterState, useSearch } from "@tanstack/react-router";
import { Menu as MenuIcon } from "lucide-react";
import { Suspense, lazy, useEffect, useLayoutEffect, useState } from "react";
import { setCsrf, whenSignedOut } from "@/api/client";
import { follow, useConnection } from "@/api/live";
import { IconButton } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Failed, Loading } from "@/ui/States";
import { Toasts } from "@/ui/toasts";
import { isTyping, useKeys } from "@/ui/useKeys";
import { sessionQuery, useMay } from "./session";
import { Sidebar } from "./Sidebar";

const MemoryPanel = lazy(() => import("@/memory/MemoryPanel").then((module) => ({ default: module.MemoryPanel })));
const loadPalette = () => import("./Palette").then((module) => ({ default: module.Palette }));
const Palette = lazy(loadPalette);
const RememberDialog = lazy(() => import("@/memory/RememberDialog").then((module) => ({ default: module.RememberDialog })));
const KeysHelp = lazy(() => import("./KeysHelp").then((module) => ({ default: module.KeysHelp })));
const SignIn = lazy(() => import("./SignIn").then((module) => ({ default: module.SignIn })));

export type Opened = "palette" | "remember" | "keys" | null;

export function Shell() {
  const session = useQuery(sessionQuery);
  if (session.error) return <main className="lonely"><Failed cause={session.error} onRetry={() => void session.refetch()} /></main>;
  if (!session.data) return <main className="lonely"><Loading rows={2} label="Opening Holdfast" /></main>;
  if (!session.data.signed_in) return <Suspense><SignIn session={session.data} /></Suspense>;
  return <Frame />;
}

function Frame() {
  const queries = useQueryClient();
  const { memory } = useSearch({ strict: false });
  const may = useMay();
  const connection = useConnection();
  useEffect(() => {
    // before somebody types into what is not there yet
    const soon = setTimeout(() => void loadPalette(), 1_000);
    return () => clearTimeout(soon);
  }, []);
  const [opened, setOpened] = useState<Opened>(null);
  // what is typed into the palette before it has arrived
  const [early, setEarly] = useState("");
  const path = useRouterState({ select: (state) => state.location.href });
  const page = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  useEffect(() => {
    // what had the focus went with the page before: the next Tab begins at the top of the new one
    const soon = setTimeout(() => {
      if (document.activeElement === document.body) document.getElementById("page")?.focus({ preventScroll: true });
    }, 100);
    return () => clearTimeout(soon);
  }, [page]);
  // the drawer of phones is open at one address: going anywhere closes it
  const [drawerAt, setDrawerAt] = useState<string | null>(null);
  const drawer = drawerAt === path;
  useEffect(() => follow(queries, queries.getQueryData(sessionQuery.queryKey)?.changes), [queries]);
  useEffect(() => whenSignedOut(() => {
    setCsrf(null);
    void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  }), [queries]);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setOpened((before) => (before === "palette" ? null : "palette"));
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  useKeys({
    "/": (event) => {
      const box = document.querySelector<HTMLInputElement>("input[type=search]");
      if (box) {
        event.preventDefault();
        box.focus();
        box.select();
      } else setOpened("palette");
    },
    "?": () => setOpened("keys"),
    c: (event) => {
      if (!may("write")) return;
      event.preventDefault();
      setOpened("remember");
    },
    j: () => step(1),
    k: () => step(-1),
  });
  const close = (): void => {
    setOpened(null);
    setEarly("");
  };
  return (
    <>
      <div className={memory === undefined ? "shell" : "shell with-panel"}>
        <a className="skip" href="#page">Skip to the page</a>
        <header className="phone-bar">
          <IconButton label="Places" icon={MenuIcon} size={20} aria-expanded={drawer} onClick={() => setDrawerAt(path)} />
          <strong>Holdfast</strong>
        </header>
        <Sidebar drawer={drawer} onCloseDrawer={() => setDrawerAt(null)} onOpen={setOpened} />
        <main id="page" className="page" tabIndex={-1}>
          {connection === "lost" && <p className="offline" role="status">The service does not answer; trying again. What you see may be out of date.</p>}
          <Suspense fallback={<Loading />}><Outlet /></Suspense>
        </main>
        <Suspense fallback={<aside className="panel" aria-label="Memory"><Loading rows={3} /></aside>}>
          {memory !== undefined && <MemoryPanel id={memory} />}
        </Suspense>
      </div>
      <Suspense fallback={(
        <Dialog title={opened === "palette" ? "Command palette" : "Loading"} bare onClose={close} className={opened === "palette" ? "palette" : ""}>
          {opened === "palette" && <input className="palette-input" aria-label="Command" autoComplete="off" value={early} onChange={(event) => setEarly(event.target.value)} />}
          <Loading rows={3} />
        </Dialog>
      )}>
        {opened === "palette" && <Palette early={early} onClose={close} onOpen={setOpened} />}
        {opened === "remember" && <RememberDialog onClose={close} />}
        {opened === "keys" && <KeysHelp onClose={close} />}
      </Suspense>
      <Toasts />
    </>
  );
}

/** Moves the focus to the next or previous memory of the page. */
function step(by: 1 | -1): void {
  if (isTyping(document.activeElement)) return;
  const cards = [...document.querySelectorAll<HTMLElement>("#page [data-step]")];
  const here = cards.findIndex(document.activeElement?.closest(".panel") ? (card) => card.closest("[data-memory].selected") !== null : (card) => card.contains(document.activeElement));
  const next = cards[here === -1 ? (by === 1 ? 0 : cards.length - 1) : here + by];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
