import { useMemo } from 'react';
import type { Content, ContentType } from '../model/schema.js';
import { useKeepPreferences } from '../people/use-preferences.js';

/**
 * The names of the columns that the user chose for the list of a type, kept in the account.
 * @returns undefined for those that the list has otherwise; and how to choose
 */
export function useColumns({ account: { preferences } }: Content, { path }: Pick<ContentType, 'path'>) {
  const keep = useKeepPreferences();
  const name = `columns.${path}`;
  const kept = preferences[name];
  const columns = useMemo(() => (Array.isArray(kept) ? kept.map(String) : undefined), [kept]);
  const choose = (next: readonly string[] | undefined): void => keep({ [name]: next ?? null });
  return [columns, choose] as const;
}
