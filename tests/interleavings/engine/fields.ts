import type { Document } from 'mongodb';

/** Names of fields that a command may read or write: more than it does, never fewer. Of `_rank` the paths. */
export type Fields = ReadonlySet<string>;

/** All fields of a document, which creating or removing it touches as well. */
export const ALL_FIELDS: Fields = new Set(['*']);

/** These hold a value for each attribute, which are written one by one. */
const byAttribute = new Set(['_rank']);

export const fieldsOfFilter = (filter: Document): Fields => collected((add) => collect(filter, add));

/** A document that is stored as it is replaces all fields. */
export function fieldsOfUpdate(filter: Document, update: Document | readonly Document[]): Fields {
  const stages = Array.isArray(update) ? (update as readonly Document[]) : [update as Document];
  const isChange = stages.every((stage) => Object.keys(stage).every((key) => key.startsWith('$')));
  return isChange ? collected((add) => collect([filter, ...stages], add)) : ALL_FIELDS;
}

/** The fields that a pipeline reads: all of them if nothing restricts its result. */
export function fieldsOfPipeline(pipeline: readonly Document[]): Fields {
  return isRestricted(pipeline) ? collected((add) => collect(pipeline, add)) : ALL_FIELDS;
}

function isRestricted(pipeline: readonly Document[]): boolean {
  const others = pipeline.flatMap(
    ({ $lookup, $unionWith }) => [$lookup, $unionWith] as (Document | string | undefined)[],
  );
  for (const other of others) {
    if (other === undefined) continue;
    if (typeof other === 'string' || !isRestricted((other['pipeline'] ?? []) as readonly Document[])) return false;
  }
  return pipeline.some(({ $project, $group, $count, $merge }) => {
    const isInclusive = Object.values(($project as Document | undefined) ?? {}).some((value) => value !== 0);
    return (
      isInclusive ||
      $group !== undefined ||
      $count !== undefined ||
      Array.isArray(($merge as Document)?.['whenMatched'])
    );
  });
}

type Add = (path: string) => void;

function collected(fill: (add: Add) => void): Fields {
  const fields = new Set<string>();
  fill((path) => {
    const [root = '', inner] = path.split('.');
    // An id never changes: entries come and go with all their fields.
    if (root !== '_id') fields.add(byAttribute.has(root) && inner !== undefined ? `${root}.${inner}` : root);
  });
  return fields.has('') ? ALL_FIELDS : fields;
}

/** Arguments that are names of fields as texts. */
const texts = new Set(['$unset', 'localField', 'foreignField', 'field']);
/** Operators whose object has arguments, not fields. */
const withArguments = new Set(
  '$cond $filter $let $lookup $map $merge $reduce $setWindowFields $sortArray $switch $unionWith $unwind $zip branches vars'.split(
    ' ',
  ),
);

function collect(value: unknown, add: Add, around = ''): void {
  if (typeof value === 'string') {
    const path = /^\$(?:\$(?:ROOT|CURRENT|new)(?:\.|$))?(?!\$)(.*)$/s.exec(value)?.[1];
    if (path !== undefined) add(path);
  } else if (Array.isArray(value)) {
    for (const one of value) collect(one, add, around);
  } else if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    for (const [key, inner] of Object.entries(value)) {
      if (key === '$literal') continue;
      if (!key.startsWith('$') && !withArguments.has(around)) add(key);
      if (texts.has(key)) for (const one of [inner].flat()) if (typeof one === 'string') add(one);
      collect(inner, add, key);
    }
  }
}

/** Do two commands meet in a document that both touch? */
export function haveCommon(some: Fields, others: Fields): boolean {
  if (some === ALL_FIELDS || others === ALL_FIELDS) return true;
  const contains = (field: string, fields: Fields): boolean => {
    const [root = '', inner] = field.split('.');
    return fields.has(field) || (inner !== undefined && fields.has(root));
  };
  return [...some].some((field) => contains(field, others)) || [...others].some((field) => contains(field, some));
}
