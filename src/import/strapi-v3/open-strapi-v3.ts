import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../../errors/start-error.js';
import { openForeignDatabase, readDump, type Plain } from '../../mongo/foreign-documents.js';
import type { Workspace } from '../../mongo/import-workspace.js';
import type { Item, Source } from '../source.js';
import { loadModels, type Model } from './load-models.js';
import { shelfKey, translateEntry } from './translate-entry.js';
import { translateModel } from './translate-model.js';

/** The collections of a v3 database, wherever they are. */
interface Collections {
  readonly size: number;
  has(name: string): boolean;
  /** `tell` hears of the bytes that are read. */
  read(name: string, tell: (bytes: number) => void): AsyncIterable<Plain>;
}

/**
 * The dump of a database of Strapi v3; undefined for what is no folder with BSON files.
 * @param models the folder of the v3 project
 * @throws StartError when the models are missing
 */
export async function openStrapiV3(place: string, models: string | undefined): Promise<Source | undefined> {
  if (!(await stat(place)).isDirectory()) return undefined;
  const sizes = new Map<string, number>();
  for (const file of (await readdir(place)).filter((name) => name.endsWith('.bson'))) {
    sizes.set(file.replace(/\.bson$/, ''), (await stat(path.join(place, file))).size);
  }
  if (sizes.size === 0) return undefined;
  const fileOf = (name: string): string => path.join(place, `${name}.bson`);
  return sourceOf('a dump of Strapi v3', await modelsIn(models), {
    size: [...sizes.values()].reduce((sum, size) => sum + size, 0),
    has: (name) => sizes.has(name),
    read: async function* (name, tell) {
      yield* readDump(fileOf(name));
      tell(sizes.get(name) ?? 0);
    },
  });
}

/** The database itself of a Strapi v3, only read. @throws StartError when it does not answer, or the models are missing */
export async function openLiveStrapiV3(uri: string, models: string | undefined): Promise<Source> {
  const found = await modelsIn(models);
  const probe = await openForeignDatabase(uri);
  const names = new Set(await probe.collections());
  await probe.close();
  return sourceOf('a database of Strapi v3', found, {
    size: names.size,
    has: (name) => names.has(name),
    read: async function* (name, tell) {
      const database = await openForeignDatabase(uri);
      try {
        yield* database.documents(name);
      } finally {
        await database.close();
      }
      tell(1);
    },
  });
}

function modelsIn(folder: string | undefined): Promise<readonly Model[]> {
  if (folder === undefined || !existsSync(folder)) {
    throw new StartError('The models of Strapi v3 are needed too: name the folder of its project with --models');
  }
  return loadModels(folder);
}

const sourceOf = (description: string, models: readonly Model[], collections: Collections): Source => ({
  description,
  size: collections.size,
  read: (tell, workspace) => readAll(models, collections, workspace, tell),
});

/** Components that are put aside together. */
const BATCH = 500;

async function* readAll(
  models: readonly Model[],
  { has, read }: Collections,
  workspace: Workspace,
  tell: (bytes: number) => void,
): AsyncGenerator<Item> {
  for (const model of models) yield translateModel(model, models);
  let done = 0;
  const advance = (bytes: number): void => tell((done += bytes));
  const present = models.filter(({ collection }) => has(collection));
  for (const model of present.filter(({ component }) => component)) {
    const batch = new Map<string, Plain>();
    for await (const document of read(model.collection, advance)) {
      batch.set(shelfKey(model, document['_id']), document);
      if (batch.size < BATCH) continue;
      await workspace.shelve(batch);
      batch.clear();
    }
    await workspace.shelve(batch);
  }
  if (has('core_store')) for await (const { key, value } of read('core_store', advance)) yield settingOf(key, value);
  for (const model of present.filter(({ component }) => !component)) {
    let line = 0;
    for await (const document of read(model.collection, advance)) {
      line += 1;
      yield* await translateEntry(model, document, { file: model.collection, line }, { models, workspace });
    }
  }
}

/** v3 keeps settings as JSON in a text. */
function settingOf(key: unknown, value: unknown): Item {
  try {
    return { kind: 'setting', key: String(key), value: JSON.parse(String(value)) as unknown };
  } catch {
    return { kind: 'setting', key: String(key), value };
  }
}
