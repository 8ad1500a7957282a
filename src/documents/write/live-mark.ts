import type { ContentType } from '../../content-types/model/types.js';
import type { StoredValue } from '../../query/mutation.js';

type Values = ReadonlyMap<string, StoredValue | undefined>;

/** `_live`, which follows `publishedAt`; nothing where that is not written. */
export function liveMark(values: Values, type: ContentType): readonly (readonly [string, StoredValue | undefined])[] {
  if (!type.draftAndPublish || !values.has('publishedAt')) return [];
  return [['_live', values.get('publishedAt') === undefined ? undefined : 1]];
}
