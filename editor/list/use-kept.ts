import { useState } from 'react';
import { keep, readKeptJson } from '../api/kept.js';

/**
 * A value that this browser keeps under a name, as JSON.
 * @param parse checks what was kept; undefined: it is of no use
 * @returns the value, undefined if there is none, and how to replace or remove it
 */
export function useKept<T>(
  name: string,
  parse: (kept: unknown) => T | undefined,
): readonly [value: T | undefined, replace: (value: T | undefined) => void] {
  const [value, setValue] = useState(() => parse(readKeptJson('localStorage', name)));
  const replace = (next: T | undefined): void => {
    setValue(next);
    keep('localStorage', name, next && JSON.stringify(next));
  };
  return [value, replace];
}
