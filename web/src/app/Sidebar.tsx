// Where one can go: places, the project looked at, who is signed in, light or dark.
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { Command, LogOut, Monitor, Moon, Plus, Sun, X } from "lucide-react";
import { useConnection, type Connection } from "@/api/live";
import { countWaiting } from "@/inbox/queries";
import { Button, IconButton } from "@/ui/Button";
import { place } from "@/api/place";
import { PLACES, type Place } from "./places";
import { ProjectSwitcher } from "./ProjectSwitcher";
import { signOut, useMay, useSession } from "./session";
import type { Opened } from "./Shell";
import { useTheme, type Theme } from "./theme";

interface Props {
  drawer: boolean;
  onCloseDrawer: () => void;
  onOpen: (what: Opened) => void;
}

export function Sidebar({ drawer, onCloseDrawer, onOpen }: Props) {
  const { user, ways } = useSession();
  const may = useMay();
  return (
    <>
      {drawer && <button type="button" className="drawer-shade" aria-label="Close places" onClick={onCloseDrawer} />}
      <div className={drawer ? "sidebar open" : "sidebar"}>
        <div className="sidebar-head">
          <ProjectSwitcher />
          {drawer && <IconButton label="Close places" icon={X} onClick={onCloseDrawer} />}
        </div>
        <div className="sidebar-acts">
          {may("write") && <Button icon={Plus} onClick={() => onOpen("remember")} aria-keyshortcuts="c">Remember</Button>}
          <IconButton label="Command palette (Ctrl K)" icon={Command} onClick={() => onOpen("palette")} />
        </div>
        <nav aria-label="Places">
          {PLACES.map((group) => (
            <div key={group.title} className="nav-group">
              <h2>{group.title}</h2>
              <ul>{group.places.filter(({ need }) => need === undefined || may(need)).map((each) => <li key={each.to}><PlaceLink place={each} /></li>)}</ul>
            </div>
          ))}
        </nav>
        <footer className="sidebar-foot">
          <ConnectionMark />
          <span className="clip grow">{user ?? "This machine"}</span>
          <ThemeSwitch />
          {ways.length > 0 && <IconButton label="Sign out" icon={LogOut} onClick={() => void signOut().finally(() => location.assign("/"))} />}
        </footer>
      </div>
    </>
  );
}

function PlaceLink({ place: { to, name, icon: Icon, counted } }: { place: Place }) {
  return (
    <Link to={to} search={(search: { project?: string }) => (search.project === undefined ? {} : { project: search.project })} activeOptions={{ exact: to === "/", includeSearch: false }} className="nav-link">
      <Icon size={16} aria-hidden />
      <span className="grow">{name}</span>
      {counted && <WaitingCount />}
    </Link>
  );
}

function WaitingCount() {
  const { project } = useSearch({ strict: false });
  const { data } = useQuery(countWaiting(place(project)));
  if (!data) return null;
  return <span className="count"><span aria-hidden>{data > 99 ? "99+" : data}</span><span className="unseen">{data} waiting</span></span>;
}

const CONNECTIONS: Record<Connection, string> = {
  connecting: "Connecting", live: "Live: changes by others appear at once", lost: "Not connected; trying again",
  unsupported: "Changes by others appear when you reload",
};

function ConnectionMark() {
  const connection = useConnection();
  return <span className={`connection ${connection}`} role="status" title={CONNECTIONS[connection]}><span className="unseen">{CONNECTIONS[connection]}</span></span>;
}

const NEXT: Record<Theme, [Theme, typeof Sun, string]> = {
  system: ["light", Monitor, "Theme: as the system; switch to light"],
  light: ["dark", Sun, "Theme: light; switch to dark"],
  dark: ["system", Moon, "Theme: dark; switch to the system's"],
};

function ThemeSwitch() {
  const [theme, setTheme] = useTheme();
  const [next, icon, label] = NEXT[theme];
  return <IconButton label={label} icon={icon} onClick={() => setTheme(next)} />;
}
