import type { ContentType } from '../model/schema.js';
import { useKept } from './use-kept.js';

const parse = (names: unknown): readonly string[] | undefined => (Array.isArray(names) ? names.map(String) : undefined);

/**
 * The names of the columns that the user chose for the list of a type, kept in this browser.
 * @returns undefined for those that the list has otherwise; and how to choose
 */
export const useColumns = ({ path }: Pick<ContentType, 'path'>) => useKept(`content-service.columns.${path}`, parse);
