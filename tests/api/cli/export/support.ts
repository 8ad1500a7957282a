import fs from 'node:fs';
import path from 'node:path';
import { afterAll } from '@jest/globals';
import type { PluginOrigin } from '../../../../src/app/load-registry.js';
import { writeExport } from '../../../../src/cli/commands/export/write-export.js';
import { importBackup } from '../../../../src/cli/commands/import/backup/import-backup.js';
import { openBackup, type Backup } from '../../../../src/cli/commands/import/backup/open-backup.js';
import type { Imported, Importing } from '../../../../src/cli/commands/import/import-source.js';
import { describeViolation } from '../../../../src/mongo/maintenance/check/violation.js';
import { checkDatabase } from '../../../../src/mongo/maintenance/check/check-database.js';
import { openLocalStore } from '../../../../src/plugins/upload/storage/open-store.js';
import { createTestService, type TestService, type TestServiceOptions } from '../../../../src/testing.js';

/** The folder of a service's uploaded files. */
export const filesOf = ({ dataFolder }: TestService): string => path.join(dataFolder, 'uploads');

export const exportTo = (
  file: string,
  service: TestService,
  plugins: readonly PluginOrigin[] = [],
): ReturnType<typeof writeExport> =>
  writeExport(
    file,
    {
      registry: service.registry,
      plugins,
      database: service.database,
      store: openLocalStore(filesOf(service)),
      stopping: new AbortController().signal,
    },
    () => undefined,
  );

export async function openExport(file: string): Promise<Backup> {
  const backup = await openBackup(file);
  if (backup === undefined) throw new Error(`${file} is no export`);
  return backup;
}

/** The dependencies of an import, for a test service. */
export const importingInto = (service: TestService): Importing => ({
  registry: service.registry,
  plugins: [{ name: 'i18n', contentTypes: [] }],
  database: service.database,
  uploads: { store: openLocalStore(filesOf(service)), provider: 'local' },
  acceptDifferences: false,
  removeOthers: true,
  reporter: { stored: () => undefined, existing: () => undefined, read: () => undefined },
  print: () => undefined,
  stopping: new AbortController().signal,
});

export type Told = Imported & { readonly stored: number; readonly existing: number; readonly lines: readonly string[] };

/** @param archive its file, or what was opened */
export async function importInto(
  service: TestService,
  archive: string | Backup,
  options: Partial<Importing> = {},
): Promise<Told> {
  const [counts, lines] = [{ stored: 0, existing: 0 }, [] as string[]];
  const reporter = {
    stored: () => (counts.stored += 1),
    existing: () => (counts.existing += 1),
    read: () => undefined,
  };
  const print = (line: string): void => void lines.push(line);
  const imported = await importBackup(typeof archive === 'string' ? await openExport(archive) : archive, {
    ...importingInto(service),
    reporter,
    print,
    ...options,
  });
  return { ...imported, ...counts, lines };
}

/** Every document of every content type as bytes, by collection, and the counters. */
export async function everything({
  database: { db },
  registry,
}: TestService): Promise<Readonly<Record<string, readonly string[]>>> {
  const collections = [...[...registry.contentTypes.values()].map(({ collectionName }) => collectionName), '_counters'];
  const read = collections.map(async (name) => {
    const found = await db
      .collection(name)
      .find({}, { sort: { _id: 1 }, raw: true })
      .toArray();
    return [
      name,
      (found as unknown as readonly Uint8Array[]).map((one) => Buffer.from(one).toString('base64')),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

/** The rules of the storage that are broken. */
export async function breachesOf({ database: { db }, registry }: TestService): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { violations: breaches } of checkDatabase(db, registry))
    found.push(...breaches.map(describeViolation));
  return found;
}

/** The names and bytes of all files of a service. */
export const filesIn = (service: TestService): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fs
      .readdirSync(filesOf(service))
      .toSorted()
      .map((name) => [name, fs.readFileSync(path.join(filesOf(service), name)).toString('base64')]),
  );

/** Opens services with empty databases and these settings, which are closed after the tests of the file. */
export function useTargets(
  options: Pick<TestServiceOptions, 'plugins' | 'environment'>,
): (contentTypes: string) => Promise<TestService> {
  const mongodbUri = process.env['TEST_MONGODB_URI'];
  const services: TestService[] = [];
  afterAll(async () => {
    for (const service of services) await service.close();
  });
  return async (contentTypes) => {
    const service = await createTestService({
      ...options,
      contentTypes,
      ...(mongodbUri !== undefined && { mongodbUri }),
    });
    services.push(service);
    return service;
  };
}
