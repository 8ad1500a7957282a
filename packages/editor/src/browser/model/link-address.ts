import { previewOf } from './preview.js';
import type { ContentType } from './schema.js';

type Stored = Parameters<typeof previewOf>[1];

/** The attributes in the address of the entries of a type. */
export const fieldsOfAddress = ({ preview = '' }: ContentType): readonly string[] => [
  'id',
  ...[...preview.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => name !== 'id'),
];

/**
 * What a text links to for an entry: the path of its preview, which each copy of the site has. A query without values
 * of the entry asks for drafts, and readers shall not.
 * @returns undefined without an address
 */
export function linkAddress(type: ContentType, stored: Stored): string | undefined {
  const address = previewOf(type, stored);
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { pathname, search, hash } = new URL(address);
  const [, query = ''] = (type.preview ?? '').split('?');
  return pathname + (query.includes('{') ? search : '') + hash;
}
