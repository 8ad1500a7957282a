import { isLocalizations } from '../../../content-types/model/localized.js';
import { isUnique } from '../../../content-types/model/unique.js';
import type { Changes, Mark, Replacement } from '../../../query/mutation.js';
import { isExclusive } from '../../stored/relation.js';
import { PENDING } from '../../compile/write/marks.js';
import { preconditionsOf } from '../../compile/write/preconditions.js';
import type { PrimaryWrite } from '../execute-write.js';
import { BATCH_MARK, type BatchStep } from './batch-step.js';

type Update = PrimaryWrite & { readonly kind: 'update' };
type Step = Pick<BatchStep, 'primary' | 'early'>;

/**
 * The attributes of an entry that a batch writes before it is decided: those because of which the database can refuse the write. The others are written
 * after that, so that nothing of them is ever undone: other requests can change them in between.
 */
export function earlyAttributes(primary: PrimaryWrite, isConditional: boolean): readonly string[] {
  if (primary.kind === 'remove') return [];
  const { type, changes } = primary;
  const names = attributesOf(changes);
  const exclusive = new Set(changes.links.flatMap(({ attribute }) => (isExclusive(attribute) ? [attribute.name] : [])));
  // It would take the target from others.
  if (primary.kind === 'insert') return names.filter((name) => !exclusive.has(name));
  const isPlaced = preconditionsOf({ ...changes, merges: new Map() }).length > 0;
  if (isPlaced || changes.links.some(({ attribute }) => isLocalizations(attribute, type))) return names;
  const kindOf = (name: string): string => type.attributes.get(name)?.kind ?? 'scalar';
  if (isConditional || preconditionsOf(changes).length > 0) return names.filter((name) => !links.has(kindOf(name)));
  const keys = new Set(pathsIn(changes.uniqueKeys));
  return names.filter((name) => {
    const attribute = type.attributes.get(name);
    return keys.has(name) || (attribute !== undefined && isUnique(attribute));
  });
}

const links = new Set(['relation', 'morph', 'morphed']);

/**
 * The write before the decision, with the number of the batch in the entry. Records of former versions have no other.
 * @param isFollowed whether the batch writes something after the decision
 */
export function earlyPart({ primary, early }: Step, isFollowed = false): PrimaryWrite {
  if (primary.kind === 'remove' || early === undefined) return primary;
  const [mark] = batchMarksOf(primary);
  const { values, ...part } = partOf(primary.changes, (name) => early.includes(name), mark);
  const n = mark?.n ?? 0;
  const pending = isFollowed ? -n : n;
  return { ...primary, changes: { ...part, values: new Map([...values, [PENDING, pending]]) } };
}

/** The write after the decision, if there is one. */
export function latePart({
  primary,
  early,
  turn,
}: Pick<BatchStep, 'primary' | 'early' | 'turn'>): PrimaryWrite | undefined {
  if (primary.kind === 'remove') return turn === 'after' ? primary : undefined;
  if (early === undefined || attributesOf(primary.changes).every((name) => early.includes(name) || name === WRITTEN))
    return undefined;
  const { type, id, changes } = primary;
  const update: Update = {
    kind: 'update',
    type,
    id,
    changes: partOf(changes, (name) => !early.includes(name), batchMarksOf(primary).at(-1)),
  };
  return update;
}

/** The marks of a batch in its writes: that of the part before the decision, then that of the part after it. */
export const batchMarksOf = (primary: PrimaryWrite): readonly Mark[] =>
  primary.kind === 'remove' ? [] : (primary.changes.marks ?? []).filter(({ a }) => a === BATCH_MARK);

/** Each part sets the time of the write. */
const WRITTEN = 'updatedAt';

function partOf(changes: Changes, isIn: (name: string) => boolean, mark: Mark | undefined): Changes {
  const {
    values,
    merges,
    references,
    uniqueKeys,
    stamps = new Map<string, number>(),
    sets = new Map<string, number>(),
    marks = [],
  } = changes;
  const select = <T>(all: ReadonlyMap<string, T>): Map<string, T> => new Map([...all].filter(([name]) => isIn(name)));
  const selected = <T extends { readonly a: string }>({ paths, remove, add }: Replacement<T>): Replacement<T> => ({
    paths: paths.filter(({ path }) => isIn(attributeAt(path))),
    remove: remove.filter(({ a }) => isIn(attributeAt(a))),
    add: add.filter(({ a }) => isIn(attributeAt(a))),
  });
  return {
    values: new Map([...values].filter(([name]) => isIn(name) || name === WRITTEN)),
    merges: select(merges),
    links: changes.links.filter(({ attribute: { name } }) => isIn(name)),
    references: selected(references),
    uniqueKeys: selected(uniqueKeys),
    stamps: select(stamps),
    sets: select(sets),
    marks: [...marks.filter(({ a }) => a !== BATCH_MARK && isIn(a)), ...(mark === undefined ? [] : [mark])],
  };
}

const attributesOf = ({
  values,
  merges,
  links: linked,
  references,
  uniqueKeys,
  stamps,
  sets,
  marks = [],
}: Changes): readonly string[] => [
  ...new Set([
    ...values.keys(),
    ...merges.keys(),
    ...linked.map(({ attribute }) => attribute.name),
    ...pathsIn(references),
    ...pathsIn(uniqueKeys),
    ...(stamps?.keys() ?? []),
    ...(sets?.keys() ?? []),
    ...marks.flatMap(({ a }) => (a === BATCH_MARK ? [] : [a])),
  ]),
];

/** The attributes of references or unique keys. */
const pathsIn = ({ paths, remove, add }: Replacement<{ readonly a: string }>): readonly string[] =>
  [...paths.map(({ path }) => path), ...remove.map(({ a }) => a), ...add.map(({ a }) => a)].map(attributeAt);

const attributeAt = (path: string): string => path.split('.', 1)[0] ?? '';
