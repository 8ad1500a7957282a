import type { Db, Document } from 'mongodb';
import { isLocalized } from '../../../content-types/model/localized.js';
import { DOCUMENT_ID } from '../../../content-types/model/system-attributes.js';
import { copiesIn, trashIn } from '../../../content-types/model/stored-types.js';
import type { ContentType, Registry } from '../../../content-types/model/types.js';
import { translated } from '../../errors.js';
import { COPIED } from '../../stored/working-copy.js';
import { isPassword, type Definition } from './stored-definitions.js';

/** A change of a content type by which other entries, or more of them, would be seen than before. */
interface Rule {
  /**
   * What `migrate` does: it adapts the entries, it needs to be told what becomes of them, or it records the change as
   * wanted.
   */
  readonly migration: 'adapts' | 'asks' | 'accepts';
  /** What changed: names of attributes, or an empty one for the type; nothing if it did not change. */
  readonly changed: (before: Definition, type: ContentType) => readonly string[];
  /**
   * Counts the entries that it concerns: as `entries`.
   * @param copies the collection of their working copies, if they can have any
   * @param trash that of deleted ones
   */
  readonly counts: (name: string, locale: string, copies: string | undefined, trash: string) => readonly Document[];
  /** What becomes of these entries. */
  readonly effect: (before: Definition, name: string) => string;
}

/** What becomes of the entries in the collection of a former definition. */
export const staysUnread = ({ collectionName }: Pick<Definition, 'collectionName'>): string =>
  `stay in the collection ${collectionName}, which no type reads: declare its new name in migrations.json`;

const whole = (isChanged: boolean): readonly string[] => (isChanged ? [''] : []);
const matching = (filter: Document): readonly Document[] => [{ $match: filter }, { $count: 'entries' }];
const unpublished = matching({ publishedAt: { $exists: false } });

/** All entries of a locale but one. */
const furtherEntries: readonly Document[] = [
  { $group: { _id: '$locale', all: { $sum: 1 } } },
  { $group: { _id: null, entries: { $sum: { $subtract: ['$all', 1] } } } },
];

/** A row for each such change. All others are wanted as they are: docs/migrate.md lists both. */
export const changeRules = {
  draftsOff: {
    migration: 'asks',
    changed: ({ drafts }, { draftAndPublish }) => whole(drafts && !draftAndPublish),
    counts: () => unpublished,
    effect: () => 'are no drafts any more: readers see them',
  },
  draftsOn: {
    migration: 'asks',
    changed: ({ drafts }, { draftAndPublish }) => whole(!drafts && draftAndPublish),
    counts: () => unpublished,
    effect: () => 'become drafts, which readers do not see',
  },
  localizedOn: {
    migration: 'adapts',
    changed: ({ localized }, type) => whole(!localized && isLocalized(type)),
    counts: () => matching({ locale: { $exists: false } }),
    effect: () => 'have no locale, so that no list shows them',
  },
  localizedOff: {
    migration: 'adapts',
    changed: ({ localized }, type) => whole(localized && !isLocalized(type)),
    counts: (_, locale) => matching({ locale: { $exists: true, $ne: locale } }),
    effect: () => 'of other locales are in every list, beside those of the default locale',
  },
  copiesOff: {
    migration: 'adapts',
    changed: ({ copies = false }, type) => whole(copies && type.copies === undefined),
    counts: () => matching({ [COPIED]: 1 }),
    effect: () => 'have working copies, which are discarded',
  },
  documentIdsOn: {
    migration: 'adapts',
    changed: ({ documentIds = false }, { documentId }) => whole(!documentIds && documentId !== undefined),
    counts: () => matching({ [DOCUMENT_ID]: { $exists: false } }),
    effect: () => 'have no documentId, so that clients that need it do not find them',
  },
  trashOff: {
    migration: 'adapts',
    changed: ({ trash = false }, type) => whole(trash && type.trash === undefined),
    counts: (_, __, ___, trash) => [
      { $match: { _id: { $exists: false } } },
      { $unionWith: { coll: trash } },
      { $count: 'entries' },
    ],
    effect: () => 'are in the trash, and removed for good',
  },
  otherCollection: {
    migration: 'accepts',
    changed: ({ collectionName }, type) => whole(collectionName !== type.collectionName),
    counts: () => matching({}),
    effect: staysUnread,
  },
  becameSingle: {
    migration: 'accepts',
    changed: ({ single }, { kind }) => whole(!single && kind === 'singleType'),
    counts: () => furtherEntries,
    effect: () => 'are hidden: a single type shows one',
  },
  becameCollection: {
    migration: 'accepts',
    changed: ({ single }, { kind }) => whole(single && kind === 'collectionType'),
    counts: () => furtherEntries,
    effect: () => 'are shown, which the single type did not',
  },
  otherSide: {
    migration: 'adapts',
    changed: ({ links }, { attributes }) =>
      links.filter((name) => {
        const attribute = attributes.get(name);
        return attribute?.kind === 'relation' && attribute.side === 'inverse';
      }),
    counts: (name, _, copies, trash) => {
      const stage = { $match: { [name]: { $exists: true } } };
      const others = copies === undefined ? [trash] : [copies, trash];
      const unions = others.map((coll) => ({ $unionWith: { coll, pipeline: [stage] } }));
      return [stage, ...unions, { $group: { _id: '$_id' } }, { $count: 'entries' }];
    },
    effect: (_, name) => `have no ${name}: the other side of the relation stores it now`,
  },
  noPassword: {
    migration: 'accepts',
    changed: ({ passwords }, { attributes }) =>
      passwords.filter((name) => {
        const attribute = attributes.get(name);
        return attribute !== undefined && !isPassword(attribute) && !attribute.private;
      }),
    counts: (name) => matching({ [name]: { $exists: true } }),
    effect: (_, name) => `show the hash of ${name}, which is no password any more`,
  },
} as const satisfies Readonly<Record<string, Rule>>;

export type ChangeKind = keyof typeof changeRules;

export const changeKinds = Object.keys(changeRules) as readonly ChangeKind[];

/** Entries that would be seen otherwise than before. */
export interface DefinitionChange {
  readonly kind: ChangeKind;
  readonly type: ContentType;
  /** Their number. */
  readonly entries: number;
  readonly effect: string;
}

/**
 * The changes of definitions that would show, hide or mix up entries, if there are such entries. Entries belong to
 * their collection: a type that reads that of another one goes on with its entries.
 * @param renamed current names of collections that `migrate` will rename, by those that they have now
 */
export async function findChanges(
  db: Db,
  recorded: readonly Definition[],
  { contentTypes }: Registry,
  locale: string,
  renamed: ReadonlyMap<string, string> = new Map(),
): Promise<readonly DefinitionChange[]> {
  const found: DefinitionChange[] = [];
  for (const type of contentTypes.values()) {
    for (const before of recorded) {
      const collection = renamed.get(before.collectionName) ?? before.collectionName;
      const isSame = collection === type.collectionName;
      if (!isSame && before.uid !== type.uid) continue;
      const kinds = isSame ? changeKinds.filter((kind) => kind !== 'otherCollection') : (['otherCollection'] as const);
      for (const kind of kinds) {
        const rule: Rule = changeRules[kind];
        for (const name of rule.changed({ ...before, collectionName: collection }, type)) {
          const copies = before.copies === true ? copiesIn(before.collectionName) : undefined;
          const entries = await count(
            db,
            before.collectionName,
            rule.counts(name, locale, copies, trashIn(before.collectionName)),
          );
          const effect = rule.effect(before, name);
          if (entries > 0) found.push({ kind, type, entries, effect });
        }
      }
    }
  }
  return found;
}

/** Milliseconds that a count may take: it runs once after a change. */
const TIMEOUT_MS = 60_000;

const count = (db: Db, collection: string, stages: readonly Document[]): Promise<number> =>
  translated(async () => {
    const options = { maxTimeMS: TIMEOUT_MS };
    const [counted] = await db
      .collection(collection)
      .aggregate<{ entries: number }>([...stages], options)
      .toArray();
    return counted?.entries ?? 0;
  });

/**
 * The attributes that are no longer private, with the type: as their definition says, everyone who reads an entry sees
 * them.
 */
export const findShown = (recorded: readonly Definition[], { contentTypes }: Registry): readonly string[] =>
  recorded.flatMap(({ uid, private: names }) =>
    names.flatMap((name) => {
      const attribute = contentTypes.get(uid)?.attributes.get(name);
      return attribute === undefined || attribute.private ? [] : [`${uid} ${name}`];
    }),
  );
