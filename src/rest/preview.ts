import type { QueryInput } from '../query/parse/input.js';
import { invalidPreview, type IsPreviewed, type ReadPreview } from '../plugins/contract/access/preview-links.js';

/**
 * Whether the preview link in a query shows this entry; then the answer is not cached.
 * @param readPreview undefined if everyone who may read an entry sees its draft, and none has a working copy
 * @throws AppError unauthorized for a link that is invalid, or to another entry
 */
export function isPreviewOf(
  entry: Parameters<IsPreviewed>[0],
  { preview }: QueryInput,
  response: { setHeader(name: string, value: string): unknown } | undefined,
  readPreview: ReadPreview | undefined,
): boolean {
  if (preview === undefined || readPreview === undefined) return false;
  response?.setHeader('Cache-Control', 'no-store');
  if (!readPreview(preview)(entry)) throw invalidPreview();
  return true;
}
