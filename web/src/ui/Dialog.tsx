// A modal dialog: the browser's own element, which holds the focus and needs no injected styles.
import { X } from "lucide-react";
import { useEffect, useId, useRef, type ReactNode } from "react";
import { IconButton } from "./Button";

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Without a visible heading, as the command palette. */
  bare?: boolean;
  className?: string;
}

export function Dialog({ title, onClose, children, bare = false, className = "" }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const opened = ref.current;
    const before = document.activeElement;
    opened?.showModal();
    opened?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => {
      opened?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // a press on the backdrop closes it; Escape does the same for keyboards
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={ref}
      className={`dialog ${className}`}
      aria-labelledby={bare ? undefined : heading}
      aria-label={bare ? title : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <div className="dialog-body">
        {!bare && (
          <header className="dialog-head">
            <h2 id={heading}>{title}</h2>
            <IconButton label="Close" icon={X} onClick={onClose} />
          </header>
        )}
        {children}
      </div>
    </dialog>
  );
}
