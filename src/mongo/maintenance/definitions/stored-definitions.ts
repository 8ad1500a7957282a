import { isDeepStrictEqual } from 'node:util';
import type { Db } from 'mongodb';
import { isLocalized } from '../../../content-types/model/localized.js';
import type { Attribute, ContentType, Registry } from '../../../content-types/model/types.js';
import { translated } from '../../errors.js';
import { systemCommandOptions } from '../../read/time-limits.js';

/**
 * What of a content type decides who sees its entries. The stored data has that of the definitions that it was last
 * served with.
 */
export interface Definition {
  readonly uid: string;
  readonly collectionName: string;
  readonly single: boolean;
  readonly drafts: boolean;
  readonly localized: boolean;
  /** Absent: its entries have no working copies. */
  readonly copies?: true;
  /** Absent: its entries need no `documentId`. */
  readonly documentIds?: true;
  /** Absent: its deleted entries are gone. */
  readonly trash?: true;
  /** The names of private attributes, of passwords, and of the relations that its entries store. */
  readonly private: readonly string[];
  readonly passwords: readonly string[];
  readonly links: readonly string[];
}

/** The definition of a content type, as it is recorded. */
export function definitionOf(type: ContentType): Definition {
  const { uid, collectionName, kind, draftAndPublish, attributes } = type;
  const named = (isMeant: (attribute: Attribute) => boolean): readonly string[] =>
    [...attributes.values()].filter(isMeant).map(({ name }) => name);
  return {
    uid,
    collectionName,
    single: kind === 'singleType',
    drafts: draftAndPublish,
    localized: isLocalized(type),
    ...(type.copies !== undefined && { copies: true }),
    ...(type.documentId !== undefined && { documentIds: true }),
    ...(type.trash !== undefined && { trash: true }),
    private: named((attribute) => attribute.private).toSorted(),
    passwords: named(isPassword).toSorted(),
    links: named(isStoredLink).toSorted(),
  };
}

/** Whether the values of an attribute are hashes. */
export const isPassword = (attribute: Attribute): boolean =>
  attribute.kind === 'scalar' && attribute.type === 'password';

const isStoredLink = (attribute: Attribute): boolean => attribute.kind === 'relation' && attribute.side === 'owner';

type Stored = Omit<Definition, 'uid'> & { readonly _id: string };

const collectionOf = (db: Db) => db.collection<Stored>('_definitions');

/** The recorded definitions, also of content types that there are no longer: their entries are still stored. */
export const readDefinitions = (db: Db): Promise<readonly Definition[]> =>
  translated(async () => {
    const stored = await collectionOf(db).find({}, systemCommandOptions).toArray();
    return stored.map(({ _id, ...definition }) => ({ uid: _id, ...definition }));
  });

/** The content types whose recorded definition is missing or another. */
export function unrecorded(recorded: readonly Definition[], { contentTypes }: Registry): readonly ContentType[] {
  const byUid = new Map(recorded.map((definition) => [definition.uid, definition]));
  return [...contentTypes.values()].filter((type) => !isDeepStrictEqual(byUid.get(type.uid), definitionOf(type)));
}

/**
 * Records the definitions of content types, which the data is now served with. Entries of a former type belong to the
 * one that reads its collection.
 */
export const recordDefinitions = (db: Db, types: readonly ContentType[]): Promise<void> =>
  translated(async () => {
    if (types.length === 0) return;
    const definitions = types.map(definitionOf);
    const taken = {
      collectionName: { $in: definitions.map(({ collectionName }) => collectionName) },
      _id: { $nin: definitions.map(({ uid }) => uid) },
    };
    const writes = definitions.map(({ uid, ...definition }) => ({
      replaceOne: { filter: { _id: uid }, replacement: definition, upsert: true },
    }));
    await collectionOf(db).bulkWrite([{ deleteMany: { filter: taken } }, ...writes], systemCommandOptions);
  });
