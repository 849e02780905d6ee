// A menu behind a button. What it is made of is loaded when somebody is about to open the first one.
import { cloneElement, lazy, Suspense, useState, type HTMLAttributes, type KeyboardEvent, type ReactElement, type ReactNode } from "react";

const load = () => import("./menuParts");
const OpenedMenu = lazy(() => load().then((parts) => ({ default: parts.OpenedMenu })));
export const MenuItem = lazy(() => load().then((parts) => ({ default: parts.MenuItem })));
export const MenuCheck = lazy(() => load().then((parts) => ({ default: parts.MenuCheck })));
export const MenuLabel = lazy(() => load().then((parts) => ({ default: parts.MenuLabel })));
export const MenuLine = lazy(() => load().then((parts) => ({ default: parts.MenuLine })));

interface Props {
  trigger: ReactElement<HTMLAttributes<HTMLElement>>;
  children: ReactNode;
  align?: "start" | "end";
}

export function Menu({ trigger, children, align = "end" }: Props) {
  const [used, setUsed] = useState(false);
  const closed = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
    onClick: () => setUsed(true),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      setUsed(true);
    },
  });
  if (!used) return closed;
  return <Suspense fallback={closed}><OpenedMenu trigger={trigger} align={align}>{children}</OpenedMenu></Suspense>;
}
