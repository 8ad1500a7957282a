import fs from 'node:fs';
import path from 'node:path';
import type { Glibc } from './glibc.js';
import { patchElf } from './patch-elf.js';
import { EmbeddedUnavailable } from './unavailable.js';

/**
 * Makes sure that `folder` holds patched copies of these files of `source`, of which no other user can have changed a
 * byte. Copies are made once: a note holds what the file system says of originals and copies (a change of content
 * changes the time of it, which no program can set back), so that later starts need not read 35 MB.
 * @throws EmbeddedUnavailable when a file is not as expected or the folder is not this user's alone
 */
export function storePatchedCopies(source: string, files: readonly string[], folder: string, have: Glibc): void {
  const pairs = files.map((name) => ({ name, original: path.join(source, name), copy: path.join(folder, name) }));
  const describePairs = () => JSON.stringify(pairs.map(({ original, copy }) => [describe(original), describe(copy)]));
  const note = path.join(folder, 'copies.json');
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    checkOwner(folder);
    if (fs.existsSync(note) && fs.readFileSync(note, 'utf8') === describePairs()) return;
    for (const { name, original, copy } of pairs) {
      const bytes = fs.readFileSync(original);
      patchElf(bytes, have, name);
      if (!fs.existsSync(copy) || !fs.readFileSync(copy).equals(bytes)) writeAtomically(copy, bytes);
    }
    writeAtomically(note, Buffer.from(describePairs()));
  } catch (cause) {
    if (cause instanceof EmbeddedUnavailable) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EmbeddedUnavailable(`no copies can be stored in ${folder} (${reason}); set XDG_CACHE_HOME`, { cause });
  }
}

function checkOwner(folder: string): void {
  const { uid, mode } = fs.lstatSync(folder);
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) throw new Error('others can write to it');
}

function describe(file: string): unknown {
  const { size, ino, mtimeMs, ctimeMs } = fs.statSync(file);
  return { size, ino, mtimeMs, ctimeMs };
}

/** Never overwrites a file in place: another process may run it. */
function writeAtomically(file: string, bytes: Buffer): void {
  const temporary = `${file}.${process.pid}`;
  fs.writeFileSync(temporary, bytes, { mode: 0o600, flush: true });
  fs.renameSync(temporary, file);
}
