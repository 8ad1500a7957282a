import { type Data, isRecord } from '../../../config/record.js';
import { createReadStream } from 'node:fs';
import type { Entry } from '../../../documents/entries.js';
import type { FileStore } from '../../../mongo/files/file-store.js';
import { SERVED_AT, type FileFormat, type FileRecord, type PreparedFile } from '../images/prepare-file.js';
import type { Placed, RemoteFiles } from './remote-files.js';

/** Stores the bytes of files and of their sizes, and removes them. */
export interface FileStorage {
  /**
   * Stores a file completely or not at all; returns the attributes to record.
   * @param more other attributes of its record, for providers of packages
   * @throws AppError payloadTooLarge, unavailable
   */
  put(prepared: PreparedFile, more: Data): Promise<ProvidedRecord>;
  /** Replaces a stored file with one of the same hash; returns the attributes to record. */
  replace(stored: StoredRecord, prepared: PreparedFile): Promise<ProvidedRecord>;
  /** Removes the bytes of a file and of its sizes. */
  remove(stored: StoredRecord): Promise<void>;
}

type ProvidedRecord = FileRecord & { readonly provider: string };

export type StoredRecord = Entry | ProvidedRecord;

/** A file and its sizes, which are stored alike. */
export const partsOf = (file: StoredRecord): readonly FileFormat[] => [
  file as unknown as FileFormat,
  ...Object.values((file.formats ?? {}) as Readonly<Record<string, FileFormat>>),
];

export const storedName = ({ hash, ext }: Pick<FileFormat, 'hash' | 'ext'>): string => hash + (ext ?? '');

/** Files in a built-in store. @param provider its name */
export function createLocalStorage(store: FileStore, provider: string): FileStorage {
  const putAll = async ({ record, parts }: PreparedFile): Promise<ProvidedRecord> => {
    for (const part of parts) await store.put(part.name, createReadStream(part.path));
    return { ...record, provider };
  };
  return {
    put: async (prepared) => {
      try {
        return await putAll(prepared);
      } catch (error) {
        for (const part of prepared.parts) await store.remove(part.name);
        throw error;
      }
    },
    // Removed sizes are left to the sweep, because their names may be reused at any time.
    replace: (_, prepared) => putAll(prepared),
    remove: async (stored) => {
      for (const part of partsOf(stored)) await store.remove(storedName(part));
    },
  };
}

/**
 * Files with a provider of a package.
 * @param others the store of files of other providers, e.g. from before this one was configured
 */
export function createRemoteStorage(remote: RemoteFiles, others: FileStorage): FileStorage {
  const remove = async (stored: StoredRecord): Promise<void> => {
    if (stored['provider'] !== remote.name) return others.remove(stored);
    for (const part of partsOf(stored)) await remote.remove(remoteAddress<Placed>(part));
  };
  const put = async ({ record, parts }: PreparedFile, more: Data): Promise<ProvidedRecord> => {
    const { formats, url: _address, ...file } = record;
    const placed = new Map<string | undefined, FileFormat>();
    try {
      for (const { size, name, path, bytes } of parts) {
        const described = {
          ...(size === undefined ? { ...more, ...file } : formats?.[size]),
          sizeInBytes: bytes,
        } as FileFormat;
        const where = await remote.put(described, path);
        placed.set(size, { ...described, ...(remote.isPrivate ? ownAddress(where, name) : where) });
      }
    } catch (error) {
      for (const format of placed.values()) await remote.remove(remoteAddress(format));
      throw error;
    }
    const { sizeInBytes: _bytes, ...original } = placed.get(undefined) as FileFormat;
    const sizes = Object.keys(formats ?? {}).map((key) => [key, placed.get(key) as FileFormat] as const);
    return { ...record, ...original, formats: formats && Object.fromEntries(sizes), provider: remote.name };
  };
  return {
    put,
    // As in Strapi v4, because not every provider overwrites files.
    replace: async (stored, prepared) => {
      await remove(stored);
      const { alternativeText, caption, folderPath } = stored as Data;
      return put(prepared, { alternativeText, caption, folderPath });
    },
    remove,
  };
}

/** A private file has a URL of the service, which redirects to a signed one. */
const ownAddress = ({ url, provider_metadata: metadata, ...others }: Placed, name: string): Placed => ({
  ...others,
  url: `${SERVED_AT}/${name}`,
  provider_metadata: { ...(isRecord(metadata) && metadata), url },
});

/** A file with the URL of its provider. */
export function remoteAddress<T extends Placed>(stored: T): T {
  const { url, provider_metadata: metadata } = stored;
  const remote = isRecord(metadata) ? metadata['url'] : undefined;
  return url.startsWith(`${SERVED_AT}/`) && typeof remote === 'string' ? { ...stored, url: remote } : stored;
}
