import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Files by their absolute paths, with the texts that they are to have; undefined: there is none. */
export type FileTexts = ReadonlyMap<string, string | undefined>;

/** The text of a file; undefined if it does not exist. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Tells two texts of a file apart. */
export const versionOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Writes all of the files or none: if one cannot be replaced, those before it get their former texts again. */
export async function replaceFiles(former: FileTexts, texts: ReadonlyMap<string, string>): Promise<void> {
  const written = new Map<string, string>();
  const replaced: string[] = [];
  try {
    for (const [file, text] of texts) {
      await mkdir(path.dirname(file), { recursive: true });
      const draft = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
      written.set(file, draft);
      await writeFile(draft, text, { flag: 'wx' });
    }
    for (const [file, draft] of written) {
      await rename(draft, file);
      replaced.push(file);
    }
  } catch (error) {
    for (const file of replaced) {
      const text = former.get(file);
      await (text === undefined ? rm(file) : writeFile(file, text));
    }
    for (const draft of written.values()) await rm(draft, { force: true });
    throw error;
  }
}
