import fs from 'node:fs';
import path from 'node:path';
import { isCode } from './find-files.js';

/** Folders of a Strapi v4 project that hold code. */
const places = ['src/policies', 'src/middlewares', 'src/plugins', 'src/extensions', 'src/api'];

/** Files that are no code of these: definitions, and those that Git or people need. */
const isOther = (name: string): boolean => name.endsWith('.json') || !isCode(path.basename(name));

/** Has a Strapi v4 project code, beside its content types? A project may be no more than these. */
export function hasCode(folder: string): boolean {
  const indexes = fs.existsSync(path.join(folder, 'src')) ? fs.readdirSync(path.join(folder, 'src')) : [];
  if (indexes.some((name) => /^index\.[cm]?[jt]s$/.test(name))) return true;
  return places.some((place) => {
    const root = path.join(folder, place);
    return (
      fs.existsSync(root) && fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).some((name) => !isOther(name))
    );
  });
}
