import { keep, readKept } from '../api/kept.js';
import type { ContentType } from '../model/schema.js';

const nameOf = (path: string): string => `content-service.list.${path}`;

/** Keeps what a list shows, in this tab, so that its entries lead back to it. */
export const rememberList = ({ path }: Pick<ContentType, 'path'>, search: string): void =>
  keep('sessionStorage', nameOf(path), search);

/** The address of the list of a type, as it was shown last. */
export function lastList({ path }: Pick<ContentType, 'path'>): string {
  const search = readKept('sessionStorage', nameOf(path)) ?? '';
  return `/content/${path}${search && `?${search}`}`;
}
