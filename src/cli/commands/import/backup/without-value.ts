import type { StoredDocument } from '../../../../mongo/maintenance/extended-json-lines.js';
import { isRecord } from '../../../../content-types/model/settings-schema.js';
import { componentPath } from '../../../../query/mutation.js';

type Fields = Readonly<Record<string, unknown>>;

/** A stored entry without the value at a path and its internal fields. */
export function withoutValue(document: StoredDocument, path: string): StoredDocument {
  const { _at: at, _rank: rank, _unique: unique, ...rest } = clear(document, path, '') as StoredDocument & Fields;
  const ranks = isRecord(rank) ? Object.entries(rank).filter(([name]) => name !== path) : [];
  const stamps = isRecord(at) ? Object.entries(at).filter(([name]) => name !== path) : [];
  const keys = Array.isArray(unique) ? unique.filter((key: Fields) => key['a'] !== path) : [];
  return {
    ...rest,
    ...(stamps.length > 0 && { _at: Object.fromEntries(stamps) }),
    ...(ranks.length > 0 && { _rank: Object.fromEntries(ranks) }),
    ...(keys.length > 0 && { _unique: keys }),
  };
}

function clear(fields: Fields, path: string, prefix: string): Fields {
  const left = Object.entries(fields).flatMap(([name, value]) => {
    const ownPath = prefix + name;
    if (ownPath === path) return [];
    if (!path.startsWith(`${ownPath}.`)) return [[name, value] as const];
    const within = (fields: Fields): Fields => {
      const zone = fields['__component'] as string | undefined;
      return clear(fields, path, `${componentPath(ownPath, Number(fields['id']), zone)}.`);
    };
    return [[name, Array.isArray(value) ? value.map(within) : within(value as Fields)] as const];
  });
  return Object.fromEntries(left);
}
