import fs from 'node:fs';
import path from 'node:path';

/** The folder of this package, from `src` as from `dist`, in whichever file of it the build has put this. */
export const packageFolder = findPackage(import.meta.dirname);

function findPackage(folder: string): string {
  return fs.existsSync(path.join(folder, 'package.json')) ? folder : findPackage(path.dirname(folder));
}
