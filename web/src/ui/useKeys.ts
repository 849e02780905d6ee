// Single-letter keys of a page, silent while somebody types or a dialog or menu is open.
import { useLayoutEffect, useRef } from "react";

export type Keys = Record<string, (event: KeyboardEvent) => void>;

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement
    && (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName)
      || (target instanceof HTMLInputElement && target.type !== "checkbox"));
}

/** Answers keys from the moment that what they are about is shown. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  useLayoutEffect(() => {
    current.current = keys;
  });
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector("dialog[open], [role=menu]")) return;
      current.current[event.key]?.(event);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
