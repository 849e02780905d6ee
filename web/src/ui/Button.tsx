// Buttons: one with words, one with an icon alone.
import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes, ReactNode } from "react";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: "plain" | "primary" | "quiet" | "danger";
  icon?: LucideIcon;
  /** Whether a dialog that opens puts the focus here. */
  "data-first"?: boolean;
  children: ReactNode;
}

export function Button({ look = "plain", icon: Icon, children, className = "", ...rest }: Props) {
  return (
    <button type="button" className={`button ${look} ${className}`} {...rest}>
      {Icon && <Icon size={15} aria-hidden />}
      {children}
    </button>
  );
}

interface IconProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string;
  icon: LucideIcon;
  size?: number;
}

/** A button that shows an icon; its name is read aloud and stands in the tooltip. */
export function IconButton({ label, icon: Icon, size = 16, className = "", ...rest }: IconProps) {
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...rest}>
      <Icon size={size} aria-hidden />
    </button>
  );
}
