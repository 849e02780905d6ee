// What a menu consists of once it opens. It is not modal: a modal one would inject styles, which the page forbids.
import { Check, type LucideIcon } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

interface Props {
  trigger: ReactElement;
  children: ReactNode;
  align: "start" | "end";
}

export function OpenedMenu({ trigger, children, align }: Props) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align={align} sideOffset={4} collisionPadding={8}>{children}</DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface ItemProps {
  icon?: LucideIcon;
  onSelect: () => void;
  children: ReactNode;
  danger?: boolean;
  hint?: string;
}

export function MenuItem({ icon: Icon, onSelect, children, danger = false, hint }: ItemProps) {
  return (
    <DropdownMenu.Item className={danger ? "menu-item danger" : "menu-item"} onSelect={onSelect}>
      {Icon && <Icon size={15} aria-hidden />}
      <span className="grow">{children}</span>
      {hint !== undefined && <kbd>{hint}</kbd>}
    </DropdownMenu.Item>
  );
}

interface CheckProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
  count?: number;
}

/** An item that is on or off; the menu stays open. */
export function MenuCheck({ checked, onChange, children, count }: CheckProps) {
  return (
    <DropdownMenu.CheckboxItem
      className="menu-item"
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
    >
      <span className="menu-check"><DropdownMenu.ItemIndicator><Check size={14} aria-hidden /></DropdownMenu.ItemIndicator></span>
      <span className="grow">{children}</span>
      {count !== undefined && <span className="menu-count">{count.toLocaleString("en")}</span>}
    </DropdownMenu.CheckboxItem>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="menu-label">{children}</DropdownMenu.Label>;
}

export function MenuLine() {
  return <DropdownMenu.Separator className="menu-line" />;
}
