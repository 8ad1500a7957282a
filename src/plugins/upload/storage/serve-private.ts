import type { RequestHandler } from 'express';
import type { Entries, Entry } from '../../../documents/entries.js';
import { isStoredName } from '../../../mongo/files/file-store.js';
import type { FileFormat } from '../images/prepare-file.js';
import { FILE } from '../media/file.js';
import { remoteAddress } from './file-storage.js';
import type { RemoteFiles } from './remote-files.js';
import { possibleHashes } from './sweep.js';

const partsOf = (file: Entry): readonly FileFormat[] => [
  file as unknown as FileFormat,
  ...Object.values((file['formats'] ?? {}) as Readonly<Record<string, FileFormat>>),
];

interface Parts {
  readonly entries: Entries;
  /** The provider, when files are with one. */
  readonly remote: RemoteFiles | undefined;
}

/** Leads to the signed address of a private file of a provider; passes on all other requests. */
export const servePrivate =
  (parts: () => Parts): RequestHandler =>
  async ({ method, path }, response, next) => {
    const { entries, remote } = parts();
    const name = path.slice(1);
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead || remote?.isPrivate !== true || !isStoredName(name)) return next();
    const filters = { hash: { $in: possibleHashes(name) }, provider: remote.name };
    const files = await entries.findMany(FILE, { filters, pagination: { limit: 2 } });
    const found = files.flatMap(partsOf).find(({ hash, ext }) => hash + (ext ?? '') === name);
    if (found === undefined) return next();
    response.setHeader('Cache-Control', 'no-store');
    response.redirect(302, await remote.sign(remoteAddress(found)));
  };
