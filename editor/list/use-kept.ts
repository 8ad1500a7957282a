import { useState } from 'react';

/**
 * A value that this browser keeps under a name, as JSON.
 * @param parse checks what was kept; undefined: it is of no use
 * @returns the value, undefined if there is none, and how to replace or remove it
 */
export function useKept<T>(
  name: string,
  parse: (kept: unknown) => T | undefined,
): readonly [value: T | undefined, keep: (value: T | undefined) => void] {
  const [value, setValue] = useState(() => parse(read(name)));
  const keep = (next: T | undefined): void => {
    setValue(next);
    if (next === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(next));
  };
  return [value, keep];
}

function read(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null');
  } catch {
    return undefined;
  }
}
