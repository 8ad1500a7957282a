import type { Api } from '../../api/api.js';
import type { FileRecord } from '../../model/values.js';

/** Bytes up to which a file is compared with the library before it is uploaded: it is read as a whole for that. */
const MOST_BYTES = 100_000_000;
/** Digests in one request. */
const AT_ONCE = 100;

/**
 * Those of these files whose bytes the library has already, with the file there. Where a browser computes no digests,
 * which needs a safe connection, none is known.
 */
export async function findKnown(api: Api, files: readonly File[]): Promise<ReadonlyMap<File, FileRecord>> {
  const digests = new Map<File, string>();
  for (const file of files) {
    const digest = await digestOf(file);
    if (digest !== undefined) digests.set(file, digest);
  }
  const all = [...new Set(digests.values())];
  const known = new Map<string, FileRecord>();
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const { body } = await api.get('upload/files/known', { sha256: all.slice(start, start + AT_ONCE) });
    for (const { sha256, file } of (body as { readonly data: readonly Known[] }).data) known.set(sha256, file);
  }
  return new Map(
    [...digests].flatMap(([file, digest]) => {
      const same = known.get(digest);
      return same === undefined ? [] : [[file, same] as const];
    }),
  );
}

interface Known {
  readonly sha256: string;
  readonly file: FileRecord;
}

/** The SHA-256 of a file in hexadecimal digits. */
async function digestOf(file: File): Promise<string | undefined> {
  const isRead = isSecureContext && file.size > 0 && file.size <= MOST_BYTES;
  if (!isRead) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
