import path from 'node:path';
import { isRecord, type Data } from '../../../../config/record.js';
import type { Item, Source, LinkEnd, Where } from '../source.js';
import { openExport, type Export, type Member } from '../read/open-archive.js';
import { readLines } from '../../../io/read-lines.js';

/**
 * What `strapi export` of Strapi v4 or 5 wrote; undefined for anything else.
 * @throws StartError when it is encrypted and the password is wrong or missing
 */
export async function openStrapi(address: string, password: string | undefined): Promise<Source | undefined> {
  const opened = await openExport(address, password);
  if (opened === undefined) return undefined;
  const hasRows = await isOfStrapi5(opened);
  return {
    description: hasRows ? 'an export of Strapi 5' : 'an archive of Strapi v4',
    size: opened.size,
    unit: 'bytes',
    hasSqlRules: true,
    hasRows,
    read: (onProgress) => opened.read(onProgress, itemsIn),
  };
}

/** Its version is the last thing in an archive, but each row of Strapi 5 has a `documentId`. */
async function isOfStrapi5(opened: Export): Promise<boolean> {
  for await (const item of opened.read(() => undefined, itemsIn))
    if (item.kind === 'entry') return typeof item.data['documentId'] === 'string';
  return false;
}

const FILES = 'assets/uploads/';

async function* itemsIn({ name, size, modified, content }: Member): AsyncGenerator<Item> {
  const folder = name.split('/')[0] ?? '';
  if (name.startsWith(FILES)) yield { kind: 'file', name: name.slice(FILES.length), size, modified, content };
  if (!Object.hasOwn(parsers, folder) || !name.endsWith('.jsonl')) return;
  for await (const { line, text } of readLines(content, name)) {
    const item = parseLine(folder, text, { file: path.posix.basename(name), line });
    if (item !== undefined) yield item;
  }
}

/** A line without a meaning here. */
const NOTHING = 'nothing';

/** Parsers for the lines of each folder of an archive; they return undefined for lines that are not in its format. */
const parsers: Readonly<Record<string, (row: Data, where: Where) => Item | typeof NOTHING | undefined>> = {
  schemas: (row) => {
    const { uid, modelType, attributes } = row;
    if (typeof uid !== 'string' || !isRecord(attributes)) return undefined;
    return { kind: 'schema', uid, component: modelType === 'component', definition: row as never };
  },
  entities: ({ type, id, data }, where) => {
    const number = Number(id);
    if (typeof type !== 'string' || !isRecord(data) || !isId(number)) return undefined;
    return { kind: 'entry', where, type, id: number, data };
  },
  links: ({ left, right }, where) => {
    // In Strapi 5 localizations have a documentId in common, which such a link leads to.
    if (isRecord(left) && left['field'] === 'localizations' && isRecord(right) && !isId(Number(right['ref'])))
      return NOTHING;
    const [from, to] = [endOf(left), endOf(right)];
    return from && to && { kind: 'link', where, left: from, right: to };
  },
  configuration: ({ type, value }) => {
    if (type !== 'core-store' || !isRecord(value) || typeof value['key'] !== 'string') return NOTHING;
    return { kind: 'setting', key: value['key'], value: value['value'] };
  },
};

const isId = (id: number): boolean => Number.isSafeInteger(id) && id > 0;

function endOf(end: unknown): LinkEnd | undefined {
  if (!isRecord(end)) return undefined;
  const { type, ref, field, pos } = end;
  const id = Number(ref);
  if (typeof type !== 'string' || !isId(id)) return undefined;
  return {
    type,
    id,
    field: typeof field === 'string' ? field : undefined,
    place: typeof pos === 'number' ? pos : undefined,
  };
}

function parseLine(folder: string, text: string, where: Where): Item | undefined {
  let row: unknown;
  try {
    row = JSON.parse(text);
  } catch {
    return { kind: 'broken', where, rule: 'invalid JSON' };
  }
  const item = isRecord(row) ? parsers[folder]?.(row, where) : undefined;
  if (item !== undefined) return item === NOTHING ? undefined : item;
  return { kind: 'broken', where, rule: 'is not in the format of strapi export' };
}
