import { isLocalizations } from '../../../../content-types/model/localized.js';
import type { ContentType, Registry } from '../../../../content-types/model/types.js';
import { parseEntry } from '../../../../documents/input/parse-entry.js';
import { encode } from '../../../../documents/write/encode/encode.js';
import { liveMark } from '../../../../documents/write/live-mark.js';
import type { StagedLink } from '../../../../mongo/maintenance/staged-links.js';
import { isRanked, type Changes } from '../../../../query/mutation.js';

type Data = Readonly<Record<string, unknown>>;

/** The stored form of a filled entry, with the ids and ranks of the source. */
export function changesOf(
  type: ContentType,
  data: Data,
  links: readonly StagedLink[],
  { contentTypes }: Registry,
  localeOf: (type: string, id: number) => string,
): Changes {
  const encoded = encode(parseEntry(data, type.attributes, true).entry, type, {
    isNew: true,
    defaults: false,
    newComponentId: ({ id = Number.NaN }) => id,
    morphTarget: (uid) => contentTypes.get(uid),
  });
  const { values, references, uniqueKeys } = encoded;
  const ranks = new Map(links.map(({ field, id, rank }) => [`${field} ${id}`, rank]));
  return {
    values: new Map([...values, ...liveMark(values, type)]),
    merges: new Map(),
    links: encoded.links.map((link) => {
      const { attribute, connect } = link;
      const rankOf = (id: number): number => ranks.get(`${attribute.name} ${id}`) ?? 0;
      // The locale of each localization is stored beside its id.
      if (isLocalizations(attribute, type)) return { ...link, ranks: connect.map(({ id }) => localeOf(type.uid, id)) };
      return { ...link, ranks: isRanked(attribute) ? connect.map(({ id }) => rankOf(id)) : [] };
    }),
    references,
    uniqueKeys,
  };
}
