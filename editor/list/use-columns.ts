import { useState } from 'react';
import type { ContentType } from '../model/schema.js';

const nameOf = ({ path }: Pick<ContentType, 'path'>): string => `content-service.columns.${path}`;

/**
 * The names of the columns that the user chose for the list of a type, kept in this browser.
 * @returns undefined for those that the list has otherwise; and how to choose
 */
export function useColumns(
  type: ContentType,
): readonly [chosen: readonly string[] | undefined, choose: (names: readonly string[] | undefined) => void] {
  const [chosen, setChosen] = useState(() => read(nameOf(type)));
  const choose = (names: readonly string[] | undefined): void => {
    setChosen(names);
    if (names === undefined) localStorage.removeItem(nameOf(type));
    else localStorage.setItem(nameOf(type), JSON.stringify(names));
  };
  return [chosen, choose];
}

function read(name: string): readonly string[] | undefined {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(name) ?? 'null');
    return Array.isArray(names) ? names.map(String) : undefined;
  } catch {
    return undefined;
  }
}
