import { useState } from 'react';
import { keep, readKeptJson } from '../api/kept.js';
import type { ContentType } from '../model/schema.js';

/**
 * The names of the columns that the user chose for the list of a type, kept in this browser.
 * @returns undefined for those that the list has otherwise; and how to choose
 */
export function useColumns({ path }: Pick<ContentType, 'path'>) {
  const name = `content-service.columns.${path}`;
  const [columns, setColumns] = useState(() => {
    const kept = readKeptJson('localStorage', name);
    return Array.isArray(kept) ? kept.map(String) : undefined;
  });
  const choose = (next: readonly string[] | undefined): void => {
    setColumns(next && [...next]);
    keep('localStorage', name, next && JSON.stringify(next));
  };
  return [columns, choose] as const;
}
