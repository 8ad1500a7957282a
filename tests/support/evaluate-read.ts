import type { PopulateNode, RelatedQuery, SortKey } from '../../src/query/ast.js';
import { componentRows, matches, relatedRows, type Row, type World } from './evaluate-filter.js';

/** The rows in the order of the keys: of a list the lowest value counts, or the highest; equal rows by their ids. */
export function sortRows(rows: readonly Row[], sort: readonly SortKey[], world: World): readonly Row[] {
  const keyed = rows.map((row) => ({ row, keys: sort.map((key) => keyOf(row, key, world)) }));
  const sorted = keyed.toSorted((a, b) => {
    for (const [index, { direction }] of sort.entries()) {
      const order = compare(a.keys[index], b.keys[index]);
      if (order !== 0) return direction === 'ascending' ? order : -order;
    }
    return idOf(a.row) - idOf(b.row);
  });
  return sorted.map(({ row }) => row);
}

const idOf = (row: Row): number => Number(row['_id']);

function keyOf(row: Row, { through, field, direction }: SortKey, world: World): unknown {
  let rows: readonly Row[] = [row];
  for (const step of through) {
    rows = rows.flatMap((one) =>
      step.kind === 'component' ? componentRows(step, one) : relatedRows(step, one, world),
    );
  }
  const values = rows
    .map((one) => (field.kind === 'id' ? (one['_id'] ?? one['id']) : one[field.name]))
    .filter((value) => value !== undefined)
    .toSorted(compare);
  return direction === 'ascending' ? values[0] : values.at(-1);
}

/** Null is the lowest; texts are compared by code point. */
function compare(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined);
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
  return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0;
}

/** The expected response for an entry: its id and populated attributes, in the form of `bare`. */
export function readRow(row: Row, populate: readonly PopulateNode[], world: World): object {
  return { id: row['_id'], ...readNodes(row, populate, world) };
}

const readNodes = (row: Row, populate: readonly PopulateNode[], world: World): object =>
  Object.fromEntries(populate.flatMap((node) => readNode(row, node, world)));

function readNode(row: Row, node: PopulateNode, world: World): readonly (readonly [string, unknown])[] {
  switch (node.kind) {
    case 'relation': {
      const { attribute, query, key } = node;
      const rows = readRelated(linkedRows(row, node, world), query, world);
      if (!attribute.many) return [[key, rows[0] ?? null]];
      const emptyIsNull = attribute.kind === 'morphed' || attribute.media;
      return [[key, rows.length === 0 && emptyIsNull ? null : rows]];
    }
    case 'morph': {
      const stored = row[node.key];
      if (stored === undefined) return node.attribute.many ? [] : [[node.key, null]];
      const links = [stored].flat() as unknown as readonly { __type: string; id: number }[];
      // The remaining entries of each type keep their positions.
      const left = new Map(
        [...node.on].map(([{ uid }, query]) => {
          const rows = links.flatMap(({ __type, id }) =>
            __type === uid ? (world.get(uid) ?? []).filter((one) => one['_id'] === id) : [],
          );
          const read = readRelated(sortRows([...new Set(rows)], query.sort, world), { ...query, sort: [] }, world);
          return [uid, read as readonly Row[]];
        }),
      );
      const entries = links.flatMap(({ __type, id }) => {
        const read = left.get(__type)?.find((one) => one['id'] === id);
        return read === undefined ? [] : [node.attribute.many ? { __type, ...read } : read];
      });
      return [[node.key, node.attribute.many ? entries : (entries[0] ?? null)]];
    }
    case 'component':
    case 'zone':
      throw new Error('The filters of components have tests of their own');
    default:
      return node satisfies never;
  }
}

/** In the order in which they are linked: the owner's list, or by the rank that each owner keeps beside the id. */
function linkedRows(
  row: Row,
  { attribute }: Extract<PopulateNode, { kind: 'relation' }>,
  world: World,
): readonly Row[] {
  const rows = relatedRows(attribute, row, world);
  if (attribute.kind === 'relation' && attribute.side === 'owner') {
    const ids = [row[attribute.name] ?? []].flat();
    return ids.flatMap((id) => rows.filter((one) => one['_id'] === id));
  }
  const by = attribute.kind === 'morphed' ? attribute.morphBy : (attribute.inverse ?? '');
  const rank = (one: Row): number => {
    const ranks = (one['_rank'] as Row | undefined)?.[by];
    return Number((Array.isArray(ranks) ? ranks[(one[by] as unknown[]).indexOf(row['_id'])] : ranks) ?? 0);
  };
  return rows.toSorted((a, b) => rank(a) - rank(b) || idOf(a) - idOf(b));
}

function readRelated(rows: readonly Row[], query: RelatedQuery, world: World): readonly object[] {
  const { filter, sort, start, limit = Infinity, populate } = query;
  const left = rows.filter((one) => filter === undefined || matches(filter, one, world));
  const sorted = sort.length === 0 ? left : sortRows(left, sort, world);
  return sorted.slice(start, start + limit).map((one) => readRow(one, populate, world));
}
