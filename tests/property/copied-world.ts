import type { Document } from 'mongodb';
import { linkDefinitions } from '../../src/app/load-registry.js';
import { load } from '../../src/content-types/load/load.js';
import type { ContentType, Registry } from '../../src/content-types/model/types.js';
import { isUnique } from '../../src/content-types/model/unique.js';
import { isExclusive } from '../../src/content-types/model/exclusive.js';
import { editOf } from '../../src/mongo/stored/entry-edit.js';
import { isIndexed, isStoredInTarget } from '../../src/mongo/stored/relation.js';
import { CHANGES, COPIED, isCopied, isStoredAlike, transferAttributes } from '../../src/mongo/stored/working-copy.js';
import { createUpload } from '../../src/plugins/upload/upload.js';
import { createUsersPermissions } from '../../src/plugins/users-permissions/users-permissions.js';
import type { TestService } from '../../src/testing.js';
import type { World } from '../support/evaluate-filter.js';
import type { Choices } from './choices.js';
import { filledTypes, readWorld } from './random-data.js';

/** The content types of a folder, where all of the project have working copies. */
export async function linkWithCopies(folder: string): Promise<Registry> {
  const { contentTypes, components, extensions: _, ...definitions } = await load(folder);
  const plugins = [createUpload({}), createUsersPermissions({})];
  const ofPlugins = plugins.flatMap((plugin) => plugin.contentTypes ?? []);
  const withCopies = contentTypes.map((defined) => {
    const options = { ...defined.definition.options, draftAndPublish: true, workingCopies: true };
    return { ...defined, definition: { ...defined.definition, options } };
  });
  return linkDefinitions({ ...definitions, contentTypes: [...ofPlugins, ...withCopies], components }, plugins);
}

/** What a copy can change without a part of others. */
const changeable = (type: ContentType): readonly string[] =>
  [...type.attributes.values()]
    .filter((attribute) => isCopied(attribute.name) && !isStoredInTarget(attribute))
    .filter((attribute) => attribute.kind !== 'scalar' || !isUnique(attribute))
    .filter((attribute) => !(isIndexed(attribute) && isExclusive(attribute)))
    .map(({ name }) => name);

/**
 * Gives published entries copies with attributes of others, and returns the stored entries, and what they are in their
 * latest state.
 * @param percent of the published entries that have a copy
 */
export async function addCopies(
  { database: { db } }: TestService,
  registry: Registry,
  choices: Choices,
  percent: number,
): Promise<{ readonly entries: World; readonly latest: World }> {
  for (const type of filledTypes(registry).filter(({ copies }) => copies !== undefined)) {
    const copies = db.collection<Document & { _id: number }>(type.copies?.collectionName ?? '');
    await copies.deleteMany({});
    const entries = db.collection<Document & { _id: number }>(type.collectionName);
    const stored: readonly Document[] = await entries.find({}, { sort: { _id: 1 }, promoteValues: false }).toArray();
    for (const document of stored) {
      // Numbers keep their types.
      const entry: Document & { _id: number } = { ...document, _id: Number(document['_id']) };
      const isPublished = entry['_live'] !== undefined || choices.chance(70);
      if (!isPublished) continue;
      const published = { publishedAt: new Date('2024-01-31'), ...entry, _live: 1 };
      const edit = editOf(published);
      const changed = changeable(type).filter(() => choices.chance(40));
      transferAttributes(editOf(choices.oneOf(stored)), edit, new Set(changed));
      const names = changed.filter((name) => !isStoredAlike(edit.get(name), (published as Document)[name]));
      const isCopiedEntry = names.length > 0 && choices.chance(percent);
      await entries.replaceOne({ _id: entry._id }, { ...published, ...(isCopiedEntry && { [COPIED]: 1 }) });
      if (isCopiedEntry) await copies.insertOne({ ...edit.document(), _id: entry._id, [CHANGES]: names });
    }
  }
  const entries = await readWorld(db, registry);
  const latest = new Map(
    await Promise.all(
      filledTypes(registry).map(async ({ uid, copies }) => {
        const rows = entries.get(uid) ?? [];
        if (copies === undefined) return [uid, rows] as const;
        const stored = await db.collection(copies.collectionName).find({}, { useBigInt64: true }).toArray();
        const byId = new Map(stored.map((document) => [Number(document['_id']), document]));
        return [uid, rows.map((row) => (byId.get(Number(row['_id'])) as typeof row | undefined) ?? row)] as const;
      }),
    ),
  );
  return { entries, latest };
}
