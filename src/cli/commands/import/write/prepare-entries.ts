import type { Data } from '../../../../config/record.js';
import type { ContentType, RelationAttribute } from '../../../../content-types/model/types.js';
import { isLocalized, isLocalizations } from '../../../../content-types/model/localized.js';
import { insertedDocument } from '../../../../mongo/write/change-entry.js';
import { ownerKey, type StagedLinks, type StagedLink } from '../../../../mongo/maintenance/staged-links.js';
import { adaptEntry } from '../read/adapt.js';
import type { DocumentIds } from '../../../../mongo/document-ids.js';
import type { Uploads } from '../read/open-uploads.js';
import { withDocumentId } from './with-document-id.js';
import { fillEntry, ownersIn } from './fill-entry.js';
import type { Prepare } from './write-items.js';
import type { EntryItem } from '../source.js';
import type { Scan } from '../scan.js';
import type { Skipped } from '../skipped.js';
import { parseEntry } from '../../../../documents/input/parse-entry.js';
import { encode, liveMark } from '../../../../documents/write/encode.js';
import type { Changes } from '../../../../query/mutation.js';
import { createIdSet, type IdSet } from '../../../../mongo/maintenance/check/id-set.js';

interface Preparing {
  readonly scan: Scan;
  readonly uploads: Uploads;
  readonly links: StagedLinks;
  readonly skipped: Skipped;
  readonly documentIds: DocumentIds;
}

/** Prepares the entries of a source, with their links, for the store. */
export function createPrepareEntries({ scan, uploads, links, skipped, documentIds }: Preparing): Prepare<EntryItem> {
  const tryClaim = createTryClaim();
  const adapting = { settings: scan.settings, tokenActions: scan.tokenActions, uploads };
  const defaultLocale = String(scan.settings.get('plugin_i18n_default_locale') ?? 'en');

  const localeOf = (type: string, id: number): string =>
    [...(scan.locales.get(type) ?? [])].find(([, ids]) => ids.has(id))?.[0] ?? defaultLocale;
  const adapt = (type: ContentType, { id, data }: EntryItem): EntryItem['data'] => {
    const adapted = adaptEntry(type.uid, id, data, adapting);
    return isLocalized(type) ? { ...adapted, locale: adapted['locale'] ?? defaultLocale } : adapted;
  };
  return async (type, items, without, isRepeated) => {
    const ownLinks = await links.of(items.flatMap(({ id, data }) => ownersIn(type, id, data)));
    const prepared = items.map((item) => {
      const { id, where } = item;
      const data = fillEntry(type, id, adapt(type, item), {
        links: ownLinks,
        without,
        has: (uid, target) => scan.ids.get(uid)?.has(target) === true,
        tryClaim: (attribute, target) => tryClaim(attribute, id, target, isRepeated),
        lose: (path, rule) => {
          if (!isRepeated) skipped.add({ ...where, type: type.uid, path, rule });
        },
      });
      const changes = changesOf(type, data, ownLinks.get(ownerKey(type.uid, id)) ?? [], localeOf);
      return insertedDocument(type, id, changes);
    });
    return Promise.all(prepared.map((document) => withDocumentId(type, document, documentIds)));
  };
}

/** The stored form of a filled entry, with the ids and ranks of the source. */
function changesOf(
  type: ContentType,
  data: Data,
  links: readonly StagedLink[],
  localeOf: (type: string, id: number) => string,
): Changes {
  const { values, ...encoded } = encode(parseEntry(data, type.attributes, true).entry, {
    isNew: true,
    newComponentId: ({ id = Number.NaN }) => id,
  });
  const ranks = new Map(links.map(({ field, id, rank }) => [`${field} ${id}`, rank]));
  return {
    values: new Map([...values, ...liveMark(values, type)]),
    merges: new Map(),
    links: encoded.links.map((link) => ({
      ...link,
      connect: link.connect.map((connected) => ({
        ...connected,
        rank: ranks.get(`${link.attribute.name} ${connected.id}`) ?? 0,
        ...(isLocalizations(link.attribute, type) && { locale: localeOf(type.uid, connected.id) }),
      })),
    })),
  };
}

/**
 * In exclusive relations, the first owner keeps a target: returns whether an owner is the first.
 * With `isRepeated`, the owner is processed again, with the same result.
 */
function createTryClaim() {
  const claimed = new Map<RelationAttribute, IdSet>();
  const refused = new Set<string>();
  return (attribute: RelationAttribute, owner: number, target: number, isRepeated: boolean): boolean => {
    const { inverse, relation, target: type, name } = attribute;
    if (inverse === undefined || (relation !== 'oneToOne' && relation !== 'oneToMany')) return true;
    const link = `${type.uid} ${name} ${owner} ${target}`;
    if (isRepeated) return !refused.has(link);
    const targets = claimed.get(attribute) ?? createIdSet();
    claimed.set(attribute, targets);
    const free = targets.add(target);
    if (!free) refused.add(link);
    return free;
  };
}
