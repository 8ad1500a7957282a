import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Data } from '../../../../config/record.js';
import { StartError } from '../../../../errors/start-error.js';
import { openExternalSource, readDump } from '../../../../mongo/maintenance/external-source.js';
import type { Item, Source } from '../source.js';
import { loadModels, type Model } from './load-models.js';
import { shelfKey, translateEntry } from './translate-entry.js';
import { translateModel } from './translate-model.js';

/** The collections of a v3 database, wherever they are. */
interface Collections extends Pick<Source, 'size' | 'unit'> {
  has(name: string): boolean;
  /** `onProgress` receives the bytes that have been read. */
  read(name: string, onProgress: (bytes: number) => void): AsyncIterable<Data>;
}

/**
 * A database dump of Strapi v3; undefined if the path is not a folder with BSON files.
 * @param models the folder of the v3 project
 * @throws StartError when the models are missing
 */
export async function openStrapiV3(folder: string, models: string | undefined): Promise<Source | undefined> {
  if (!(await stat(folder)).isDirectory()) return undefined;
  const files = new Map<string, { readonly file: string; readonly size: number }>();
  for (const name of await readdir(folder)) {
    const [, collection] = /^(.+)\.bson(?:\.gz)?$/.exec(name) ?? [];
    const file = path.join(folder, name);
    if (collection !== undefined) files.set(collection, { file, size: (await stat(file)).size });
  }
  if (files.size === 0) return undefined;
  return sourceOf('a dump of Strapi v3', await modelsIn(models), {
    size: [...files.values()].reduce((sum, { size }) => sum + size, 0),
    unit: 'bytes',
    has: (name) => files.has(name),
    read: async function* (name, onProgress) {
      const dump = files.get(name);
      if (dump === undefined) return;
      yield* readDump(dump.file);
      onProgress(dump.size);
    },
  });
}

/** The database of a Strapi v3, only read. @throws StartError if it does not respond, or the models are missing */
export async function openLiveStrapiV3(uri: string, models: string | undefined): Promise<Source> {
  const loadedModels = await modelsIn(models);
  const probe = await openExternalSource(uri);
  const names = new Set(await probe.collections());
  await probe.close();
  return sourceOf('a database of Strapi v3', loadedModels, {
    size: names.size,
    unit: 'collections',
    has: (name) => names.has(name),
    read: async function* (name, onProgress) {
      const database = await openExternalSource(uri);
      try {
        yield* database.documents(name);
      } finally {
        await database.close();
      }
      onProgress(1);
    },
  });
}

function modelsIn(folder: string | undefined): Promise<readonly Model[]> {
  if (folder === undefined || !existsSync(folder)) {
    throw new StartError('The models of Strapi v3 are required: pass the folder of its project with --models');
  }
  return loadModels(folder);
}

const BATCH = 500;

const sourceOf = (description: string, models: readonly Model[], { size, unit, has, read }: Collections): Source => ({
  description,
  size,
  unit,
  hasSqlRules: false,
  hasRows: false,
  read: async function* (onProgress, workspace) {
    for (const model of models) yield translateModel(model, models);
    let done = 0;
    const advance = (bytes: number): void => onProgress((done += bytes));
    const present = models.filter(({ collection }) => has(collection));
    for (const model of present.filter(({ component }) => component)) {
      const batch = new Map<string, Data>();
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
        const where = { file: model.collection, line };
        yield* await translateEntry(model, document, { models, workspace, where });
      }
    }
  },
});

/** v3 stores settings as JSON strings. */
function settingOf(key: unknown, value: unknown): Item {
  try {
    return { kind: 'setting', key: String(key), value: JSON.parse(String(value)) as unknown };
  } catch {
    return { kind: 'setting', key: String(key), value };
  }
}
