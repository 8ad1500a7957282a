import type { Registry } from '../../../../content-types/model/types.js';
import { StartError } from '../../../../errors/start-error.js';
import { describeStorage, type StorageDescription } from './describe-storage.js';

/** The first file in an archive of `npx content-service export`, which describes the others. */
export interface Manifest {
  readonly format: number;
  readonly createdAt: string;
  /** A consistent snapshot; otherwise each entry has its state at some time during the export. */
  readonly snapshot: boolean;
  /** The collection of each content type, by uid. */
  readonly collections: Readonly<Record<string, string>>;
  readonly storage: StorageDescription;
}

/** The names of files in an archive. */
export const names = {
  manifest: 'content-service.json',
  /** Below it a folder for each collection. */
  documents: 'documents/',
  files: 'files/',
} as const;

/** Internal collections that are exported too; counters come last, because they only grow. */
export const ownCollections = {
  importIds: '_import_ids',
  undo: '_undo',
  transactions: '_transactions',
  counters: '_counters',
} as const;

const FORMAT = 1;

export const makeManifest = (registry: Registry, snapshot: boolean): Manifest => ({
  format: FORMAT,
  createdAt: new Date().toISOString(),
  snapshot,
  collections: Object.fromEntries(
    [...registry.contentTypes.values()].map(({ uid, collectionName }) => [uid, collectionName]),
  ),
  storage: describeStorage(registry),
});

/** @throws StartError if the format is unknown */
export function parseManifest(text: string, file: string): Manifest {
  const manifest = JSON.parse(text) as Manifest;
  const { format } = manifest;
  if (format === FORMAT) return manifest;
  throw new StartError(
    `${file} has the format ${String(format)}; this version reads ${FORMAT}: import it with the version that wrote it`,
  );
}
