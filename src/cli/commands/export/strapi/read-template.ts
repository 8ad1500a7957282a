import { existsSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import { isRecord, type Data } from '../../../../config/record.js';
import { StartError } from '../../../../errors/start-error.js';
import { packingOf, readMembers } from '../../import/read/open-archive.js';
import { readLines } from '../../../io/read-lines.js';

interface StrapiSchema {
  readonly uid: string;
  readonly collectionName: string;
  readonly attributes: Readonly<Record<string, Data>>;
}

/**
 * Reads the schemas and settings of an archive. Strapi refuses an archive whose schemas differ from its own, down to those
 * of its admin panel and plugins, so an export repeats them.
 * @throws StartError if it is no archive of Strapi v4
 */
export async function readTemplate(file: string, password: string | undefined) {
  if (!existsSync(file)) throw new StartError(`${file} does not exist`);
  const packing = await packingOf(file, password);
  if (packing === undefined) throw new StartError(`${file} is not an archive of strapi export`);
  /** By uid. */
  const schemas = new Map<string, StrapiSchema>();
  /** What the admin panel stores, and webhooks. */
  const settings: Data[] = [];
  let metadata: Data = {};
  for await (const { name, content } of readMembers(file, packing, () => undefined)) {
    const [folder] = name.split('/');
    if (name === 'metadata.json') metadata = (await json(content)) as Data;
    if (folder !== 'schemas' && folder !== 'configuration') continue;
    for await (const { text } of readLines(content)) {
      const line = JSON.parse(text) as Data;
      const { uid, attributes } = line;
      if (folder === 'configuration') settings.push(line);
      else if (typeof uid === 'string' && isRecord(attributes)) schemas.set(uid, line as unknown as StrapiSchema);
    }
  }
  if (schemas.size === 0) throw new StartError(`${file} is not an archive of strapi export: it has no schemas`);
  return { schemas, settings, metadata };
}

/** What an archive of `strapi export` says about a project, apart from its content. */
export type Template = Awaited<ReturnType<typeof readTemplate>>;
