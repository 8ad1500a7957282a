import { isRecord } from '../../../../content-types/model/settings-schema.js';
import type { Item, LinkEnd, Where } from '../source.js';

type Row = Readonly<Record<string, unknown>>;

/** Parsers for the lines of each folder of an archive; they return undefined for lines without a meaning here. */
const parsers: Readonly<Record<string, (row: Row, where: Where) => Item | undefined>> = {
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
    const [from, to] = [endOf(left), endOf(right)];
    return from && to && { kind: 'link', where, left: from, right: to };
  },
  configuration: ({ type, value }) => {
    if (type !== 'core-store' || !isRecord(value) || typeof value['key'] !== 'string') return undefined;
    return { kind: 'setting', key: value['key'], value: value['value'] };
  },
};

/** The folders of an archive with JSON lines. */
export const folders: ReadonlySet<string> = new Set(Object.keys(parsers));

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

/** Parses a line of an archive. */
export function parseLine(folder: string, text: string, where: Where): Item | undefined {
  let row: unknown;
  try {
    row = JSON.parse(text);
  } catch {
    return { kind: 'broken', where, rule: 'invalid JSON' };
  }
  const item = isRecord(row) ? parsers[folder]?.(row, where) : undefined;
  if (item !== undefined || folder === 'configuration') return item;
  return { kind: 'broken', where, rule: 'is not in the format of strapi export' };
}
