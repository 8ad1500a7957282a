import type { Document } from 'mongodb';

/** Keys whose texts are names of ours: collections, fields, options. */
const named = new Set(
  ['aggregate', 'find', 'count', 'distinct', 'insert', 'update', 'delete', 'findAndModify'].concat([
    'from',
    'as',
    'localField',
    'foreignField',
    'coll',
    'path',
    '$db',
    '$count',
    'input',
    'vars',
  ]),
);
/** A field or a variable, as expressions name it. */
const reference = /^\$\$?[A-Za-z_][\w.]*$/;
/** Entries and updates are what clients wrote. */
const written = new Set(['documents', 'updates', 'u', 'lsid', '$clusterTime']);
const HIDDEN = '?';

/** A command with its shape, without the texts that clients sent: they may be secret. Numbers, dates and names stay. */
export function redact(command: Document): Document {
  return hide(command, '') as Document;
}

function hide(value: unknown, key: string): unknown {
  if (written.has(key)) return HIDDEN;
  if (typeof value === 'string')
    return named.has(key) || (reference.test(value) && key !== '$literal') ? value : HIDDEN;
  if (Array.isArray(value)) return value.map((one) => hide(one, key));
  if (value instanceof RegExp) return HIDDEN;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hide(one, name)]));
}
