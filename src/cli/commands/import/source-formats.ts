import { existsSync } from 'node:fs';
import { StartError } from '../../../errors/start-error.js';
import type { Source } from './source.js';
import { openStrapiV3 } from './strapi-v3/open-strapi-v3.js';
import { openStrapiV4 } from './strapi-v4/open-strapi-v4.js';

/** The arguments that describe a source. */
export interface SourceOptions {
  readonly key: string | undefined;
  /** The folder of a project of Strapi v3. */
  readonly models?: string | undefined;
}

/** Opens a path in this format; undefined for any other format. */
type Open = (address: string, options: SourceOptions) => Promise<Source | undefined>;

/** The supported source formats, by name. */
const kinds: Readonly<Record<string, Open>> = {
  'an archive of strapi export (.tar, .tar.gz, .enc)': (file, { key }) => openStrapiV4(file, key),
  'the folder of a mongodump of Strapi v3': (folder, { models }) => openStrapiV3(folder, models),
};

/** @throws StartError if it does not exist, cannot be read, or has an unknown format */
export async function openSource(address: string, options: SourceOptions): Promise<Source> {
  if (!existsSync(address)) throw new StartError(`${address} does not exist`);
  for (const open of Object.values(kinds)) {
    const source = await open(address, options);
    if (source !== undefined) return source;
  }
  throw new StartError(
    `${address} cannot be imported; supported: an archive of npx content-service export; ${Object.keys(kinds).join('; ')}`,
  );
}
