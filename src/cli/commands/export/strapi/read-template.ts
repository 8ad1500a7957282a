import { existsSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import { isRecord, type Data } from '../../../../config/record.js';
import { StartError } from '../../../../errors/start-error.js';
import { openExport, type Member } from '../../import/read/open-archive.js';
import { readLines } from '../../../io/read-lines.js';

interface StrapiSchema {
  readonly uid: string;
  readonly collectionName: string;
  readonly attributes: Readonly<Record<string, Data>>;
}

/**
 * Reads the schemas and settings of an archive. Strapi refuses an archive whose schemas differ from its own, down to
 * those of its admin panel and plugins, so an export repeats them.
 * @throws StartError if it is no archive of Strapi, or damaged
 */
export async function readTemplate(file: string, password: string | undefined) {
  if (!existsSync(file)) throw new StartError(`${file} does not exist`);
  const opened = await openExport(file, password);
  if (opened === undefined) throw new StartError(`${file} is not an archive of strapi export`);
  /** By uid. */
  const schemas = new Map<string, StrapiSchema>();
  /** What the admin panel stores, and webhooks. */
  const settings: Data[] = [];
  let metadata: Data = {};
  for await (const { place, data } of opened.read(() => undefined, itemsIn)) {
    const { uid, attributes } = data;
    if (place === 'metadata.json') metadata = data;
    else if (place === 'configuration') settings.push(data);
    else if (typeof uid === 'string' && isRecord(attributes)) schemas.set(uid, data as unknown as StrapiSchema);
  }
  if (schemas.size === 0) throw new StartError(`${file} is not an archive of strapi export: it has no schemas`);
  return { schemas, settings, metadata, version: versionIn(metadata) };
}

/** The version of Strapi that wrote an archive. */
function versionIn({ strapi }: Data): 4 | 5 {
  const version = isRecord(strapi) ? String(strapi['version']) : '';
  return /^5\b/.test(version) ? 5 : 4;
}

/** The content of a file that is repeated, and the file or the folder that it is in. */
async function* itemsIn({ name, content }: Member): AsyncGenerator<{ readonly place: string; readonly data: Data }> {
  const [place = ''] = name.split('/');
  if (name === 'metadata.json') yield { place, data: (await json(content)) as Data };
  if (place !== 'schemas' && place !== 'configuration') return;
  for await (const { text } of readLines(content, name)) yield { place, data: JSON.parse(text) as Data };
}

/** What an archive of `strapi export` says about a project, apart from its content. */
export type Template = Awaited<ReturnType<typeof readTemplate>>;
