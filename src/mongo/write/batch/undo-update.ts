import { BSON, type Document } from 'mongodb';
import { RANKS, REFERENCES } from '../../stored/relation.js';
import { PENDING } from '../../compile/write/marks.js';
import { BATCH_MARK } from './batch-step.js';
import { pendingIn } from './decisions.js';

/** The forms of an entry, as stored. */
export interface Forms {
  readonly before: Document;
  /** As the update of the batch stored it. */
  readonly after: Document;
  readonly current: Document;
}

/** Internal fields with a part for each attribute: an object by name, or a list whose elements have a path. */
const byName = [RANKS, '_at', '_set'] as const;
const byPath = [REFERENCES, '_unique'] as const;

/**
 * An entry without an update: each attribute has its former value again, unless another write has changed it since. All that is stored beside an
 * attribute goes with it.
 */
export function withoutUpdate({ before, after, current }: Forms): Document {
  const names = new Set([before, after, current].flatMap(attributesOf));
  const isRestored = (name: string): boolean => isSame(partsOf(current, name), partsOf(after, name));
  const own = [...names].map((name) => ({ name, from: isRestored(name) ? before : current }));
  const fields = own.flatMap(({ name, from }) =>
    [name, ...(companions[name] ?? [])].flatMap((field) => (from[field] === undefined ? [] : [[field, from[field]]])),
  );
  const objects = byName.map((field) => [field, own.flatMap(({ name, from }) => entryOf(from[field], name))] as const);
  const lists = byPath.map((field) => [field, own.flatMap(({ name, from }) => elementsOf(from[field], name))] as const);
  const marksIn = ({ _marks: stored }: Document): readonly string[] => listOf(stored).map(textOf);
  const [former, written] = [marksIn(before), marksIn(after)];
  const marks = listOf(current['_marks']).filter(
    (mark) => former.includes(textOf(mark)) || !written.includes(textOf(mark)),
  );
  return {
    _id: current['_id'] as unknown,
    ...(Object.fromEntries(fields) as Document),
    ...Object.fromEntries(
      objects.flatMap(([field, all]) => (all.length > 0 ? [[field, Object.fromEntries(all)]] : [])),
    ),
    ...Object.fromEntries([...lists, ['_marks', marks] as const].filter(([, all]) => all.length > 0)),
  };
}

/** The marks of the batches that have written an entry. */
export const batchMarks = (entry: Document): readonly number[] => [
  ...listOf(entry['_marks']).flatMap(({ a, n }) => (a === BATCH_MARK ? [Number(n)] : [])),
  ...pendingIn(entry),
];

export const hasMark = (entry: Document, mark: number): boolean =>
  batchMarks(entry).some((number) => Math.abs(number) === mark);

const textOf = (stored: Document): string => Buffer.from(BSON.serialize(stored)).toString('latin1');

/** Internal fields that are computed from an attribute. */
const companions: Readonly<Record<string, readonly string[]>> = { publishedAt: ['_live'] };

const computed = new Set<string>([...byName, ...byPath, '_marks', '_id', PENDING, ...Object.values(companions).flat()]);

/** The attributes of a document, also those whose links alone are stored beside it. */
const attributesOf = (document: Document): readonly string[] => [
  ...Object.keys(document).filter((name) => !computed.has(name)),
  ...byName.flatMap((field) => Object.keys((document[field] ?? {}) as object)),
  ...byPath.flatMap((field) => listOf(document[field]).map(attributeOfElement)),
];

/** All that is stored of an attribute. */
const partsOf = (document: Document, name: string): Document => ({
  own: document[name] as unknown,
  objects: byName.map((field) => entryOf(document[field], name)),
  lists: byPath.map((field) => elementsOf(document[field], name)),
});

const entryOf = (stored: unknown, name: string): readonly (readonly [string, unknown])[] => {
  const value = (stored as Document | undefined)?.[name] as unknown;
  return value === undefined ? [] : [[name, value]];
};

const elementsOf = (stored: unknown, name: string): readonly Document[] =>
  listOf(stored).filter((element) => attributeOfElement(element) === name);

/** Paths begin with the attribute. */
const attributeOfElement = ({ a }: Document): string => String(a).split('.', 1)[0] ?? '';

const listOf = (stored: unknown): readonly Document[] => (Array.isArray(stored) ? (stored as readonly Document[]) : []);

const isSame = (first: Document, second: Document): boolean => textOf(first) === textOf(second);
