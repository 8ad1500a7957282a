import { homedir, totalmem } from 'node:os';
import path from 'node:path';

/**
 * The memory of the machine, or of the container if it has less, in bytes. Without a limit, Node reports 0 or more than
 * the machine has.
 */
export const readMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

/** The user's folder for what can be made again. */
export function cacheFolder(): string {
  const folder = process.env['XDG_CACHE_HOME'] ?? '';
  // A relative one is to be ignored: https://specifications.freedesktop.org/basedir-spec/latest/
  return path.isAbsolute(folder) ? folder : path.join(homedir(), '.cache');
}
