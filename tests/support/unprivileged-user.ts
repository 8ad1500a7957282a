import fs from 'node:fs';
import path from 'node:path';
import { describe } from '@jest/globals';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** As whom root starts a process with few rights; undefined for other users, who have few. */
export const unprivilegedUser = isRoot ? NOBODY : undefined;

/** Tests that run a process of this repository as that user: skipped if it may not read the repository or Node. */
export const describeUnprivileged =
  !isRoot || [process.cwd(), process.execPath].every(isOpenToAll) ? describe : describe.skip;

/** Whether each folder on the way to a file can be entered by everyone. */
function isOpenToAll(file: string): boolean {
  const canEnter = (fs.statSync(file).mode & 0o005) === 0o005;
  const parent = path.dirname(file);
  return canEnter && (parent === file || isOpenToAll(parent));
}
