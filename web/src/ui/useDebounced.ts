// A value that follows another after a pause.
import { useEffect, useState } from "react";

export function useDebounced<T>(value: T, pause: number): T {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), pause);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return late;
}
