import type { Data } from '../../../../config/record.js';
import type { ContentType, RelationAttribute } from '../../../../content-types/model/types.js';
import { isLocalized, isLocalizations } from '../../../../content-types/model/localized.js';
import { DOCUMENT_ID } from '../../../../content-types/model/system-attributes.js';
import type { StoredDocument } from '../../../../mongo/maintenance/extended-json-lines.js';
import { CHANGES, COPIED } from '../../../../mongo/stored/working-copy.js';
import { insertedDocument } from '../../../../mongo/write/change-entry.js';
import { ownerKey, type StagedLinks, type StagedLink } from '../../../../mongo/maintenance/staged-links.js';
import { adaptEntry } from '../read/adapt.js';
import type { DocumentIds } from '../../../../mongo/document-ids.js';
import type { Uploads } from '../read/open-uploads.js';
import { joinVersions } from '../strapi/join-versions.js';
import { withDocumentId } from './with-document-id.js';
import { fillEntry, ownersIn } from './fill-entry.js';
import { pathInCopy, type Prepare, type Prepared } from './write-items.js';
import { DEFAULT_LOCALE, type EntryItem } from '../source.js';
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

/** The values of an entry with its links, and the places of these in the orders of the other sides. */
interface Filled {
  readonly data: Data;
  readonly rankOf: (field: string, id: number) => number;
}

type Row = Pick<EntryItem, 'where' | 'id' | 'data'>;

/** Prepares the entries of a source, with their links, for the store. */
export function createPrepareEntries({
  scan,
  uploads,
  links: staged,
  skipped,
  documentIds,
}: Preparing): Prepare<EntryItem> {
  const tryClaim = createTryClaim();
  const { rows } = scan;
  const adapting = { settings: scan.settings, tokenActions: scan.tokenActions, uploads };
  const defaultLocale = String(scan.settings.get(DEFAULT_LOCALE) ?? 'en');

  const localeOf = (type: string, id: number): string =>
    [...(scan.locales.get(type) ?? [])].find(([, ids]) => ids.has(id))?.[0] ?? defaultLocale;
  const adapt = (type: ContentType, { id, data }: Row): Data => {
    const adapted = adaptEntry(type.uid, id, data, adapting);
    return isLocalized(type) ? { ...adapted, locale: adapted['locale'] ?? defaultLocale } : adapted;
  };
  const isDraft = (type: string, id: number): boolean => scan.drafts.get(type)?.has(id) === true;
  /** Rows of Strapi 5 are localizations by their documentId. */
  const localizationsOf = ({ uid }: ContentType, { id, data }: Row): readonly StagedLink[] =>
    rows
      .localizationsOf(uid, data['documentId'], id)
      .map((row, place) => ({ owner: ownerKey(uid, id), field: 'localizations', place, type: uid, id: row, rank: 0 }));

  return async (type, items, without, isRepeated) => {
    const read = items.flatMap((item) => (item.draft === undefined ? [item] : [item, item.draft]));
    const links = await staged.of(read.flatMap(({ id, data }) => ownersIn(type, id, data)));
    /**
     * @param state of the row; undefined: its type has no drafts
     * @param claims whether it takes targets that only one entry can have
     */
    const fill = (row: Row, number: number, state: RowState | undefined, claims: boolean): Filled => {
      const { id, where } = row;
      const key = ownerKey(type.uid, id);
      const own = [...(links.get(key) ?? []), ...localizationsOf(type, row)];
      const entryOf = ({ field, type: uid, id: target }: StagedLink): number | 'hidden' | undefined => {
        if (!rows.has(uid)) return scan.ids.get(uid)?.has(target) === true ? target : undefined;
        const entry = rows.entryOf(uid, target);
        // Strapi shows no draft in a published version, and the reverse.
        const isOther =
          field !== 'localizations' &&
          state !== undefined &&
          entry?.draft !== undefined &&
          (entry.draft === target) !== (state === 'draft');
        return isOther ? 'hidden' : entry?.id;
      };
      const data = fillEntry(type, id, adapt(type, row), {
        linksOf: (owner) => (owner === key ? own : (links.get(owner) ?? [])),
        without,
        entryOf,
        tryClaim: (attribute, target) => !claims || tryClaim(attribute, number, target, isRepeated),
        lose: (path, rule) => {
          if (!isRepeated) skipped.add({ ...where, type: type.uid, path, rule });
        },
      });
      const ranks = new Map(own.map((link) => [`${link.field} ${String(entryOf(link))}`, link.rank]));
      return { data, rankOf: (field, target) => ranks.get(`${field} ${target}`) ?? 0 };
    };
    const documentOf = async (id: number, { data, rankOf }: Filled, documentId: unknown): Promise<StoredDocument> => {
      const document = insertedDocument(type, id, changesOf(type, data, rankOf, localeOf));
      const isGiven = type.documentId !== undefined && typeof documentId === 'string';
      return withDocumentId(type, isGiven ? { ...document, [DOCUMENT_ID]: documentId } : document, documentIds);
    };
    return Promise.all(
      items.map(async (item): Promise<Prepared> => {
        const { documentId } = item.data;
        const row = rows.entryOf(type.uid, item.id);
        const id = row?.id ?? item.id;
        const state = row === undefined || !type.draftAndPublish ? undefined : stateOf(row, item.id);
        const main = fill(item, id, state, true);
        if (item.draft === undefined) return { document: await documentOf(id, main, documentId) };
        const draft = fill(item.draft, id, 'draft', false);
        const { ofDraft, ...joined } = joinVersions(type, main.data, draft.data, isDraft);
        const changes = joined.changes.filter((name) => !without.has(pathInCopy(name)));
        const kept: Filled = { ...draft, data: ofDraft };
        const entry = mixed(type, (name) => (name in ofDraft ? kept : main));
        const document = await documentOf(id, entry, documentId);
        if (changes.length === 0) return { document };
        const isChanged = new Set([...changes, 'updatedAt']);
        const ofCopy = mixed(type, (name) => (isChanged.has(name) ? draft : name in ofDraft ? kept : main));
        const copy = await documentOf(id, ofCopy, documentId);
        return { document: { ...document, [COPIED]: 1 }, copy: { ...copy, [CHANGES]: changes } };
      }),
    );
  };
}

type RowState = 'published' | 'draft';

const stateOf = ({ published }: { readonly published?: number }, row: number): RowState =>
  published === row ? 'published' : 'draft';

/** An entry whose values are those of several, by attribute. */
function mixed({ attributes }: ContentType, from: (name: string) => Filled): Filled {
  const values = [...attributes.keys()].map((name) => [name, from(name).data[name]] as const);
  return {
    data: Object.fromEntries(values.filter(([, value]) => value !== undefined)),
    rankOf: (field, id) => from(field).rankOf(field, id),
  };
}

/** The stored form of a filled entry, with the ids and ranks of the source. */
function changesOf(
  type: ContentType,
  data: Data,
  rankOf: Filled['rankOf'],
  localeOf: (type: string, id: number) => string,
): Changes {
  const { values, ...encoded } = encode(parseEntry(data, type.attributes, true).entry, {
    isNew: true,
    newComponentId: ({ id = Number.NaN }) => id,
  });
  return {
    values: new Map([...values, ...liveMark(values, type)]),
    merges: new Map(),
    links: encoded.links.map((link) => ({
      ...link,
      connect: link.connect.map((connected) => ({
        ...connected,
        rank: rankOf(link.attribute.name, connected.id),
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
