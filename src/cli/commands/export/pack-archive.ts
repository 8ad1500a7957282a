import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import type { StoredFile } from '../../../mongo/files/file-store.js';

/** Passwords and keys are in it, as hashes: only its owner may read it. */
const OWNER_ONLY = 0o600;

/**
 * Writes a `.tar.gz` completely or not at all, replacing a file of its name. Returns its size in bytes.
 * @param fill puts everything in
 */
export async function packArchive(file: string, fill: (packing: Packing) => Promise<void>): Promise<number> {
  const part = `${file}.${randomUUID()}.part`;
  const spool = `${part}.file`;
  const archive = pack();
  const output = createWriteStream(part, { flags: 'wx', mode: OWNER_ONLY, flush: true });
  const written = pipeline(archive, createGzip({ level: 1 }), output);
  // An output that fails ends the waiting for it to take more.
  const failed = new Promise<never>((_, reject) => void written.catch(reject));
  failed.catch(() => undefined);
  try {
    await Promise.race([failed, fill(packInto(archive, spool))]);
    archive.finalize();
    await written;
    await rename(part, file);
    return (await stat(file)).size;
  } catch (error) {
    archive.destroy();
    await written.catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  } finally {
    await rm(spool, { force: true });
  }
}

const packInto = (archive: ReturnType<typeof pack>, spool: string) => ({
  text: (name: string, content: string): Promise<void> =>
    new Promise((resolve, reject) => {
      archive.entry({ name, mode: OWNER_ONLY }, content, (error) => (error ? reject(error) : resolve()));
    }),
  /** A file, which is complete before it is added to the archive. @throws Error if its size differs */
  file: async (
    name: string,
    { read, size, modified: mtime }: Pick<StoredFile, 'read' | 'size' | 'modified'>,
  ): Promise<void> => {
    await pipeline(await read(), createWriteStream(spool, { mode: OWNER_ONLY }));
    const { size: came } = await stat(spool);
    if (came !== size) throw new Error(`${name} has ${came} bytes instead of ${size}: it changed while it was read`);
    await pipeline(createReadStream(spool), archive.entry({ name, size, mtime, mode: OWNER_ONLY }));
  },
});

export type Packing = ReturnType<typeof packInto>;
