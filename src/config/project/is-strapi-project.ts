import fs from 'node:fs';
import path from 'node:path';

/** Where Strapi v4 keeps definitions, and the code of a project that has none. */
const places = [
  'src/api',
  'src/components',
  'src/extensions',
  ...['js', 'cjs', 'mjs', 'ts', 'cts', 'mts'].map((ending) => `src/index.${ending}`),
];

/** Whether a folder is that of a Strapi v4 project. */
export const isStrapiProject = (folder: string): boolean =>
  places.some((name) => fs.existsSync(path.join(folder, name)));
