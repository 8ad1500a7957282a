import type { Document } from 'mongodb';
import { type Changes, type MorphLink, type Owners, type StoredValue, type Write } from '../../../query/mutation.js';
import { ranksField, REFERENCES } from '../../stored/relation.js';
import { isListed } from '../../indexes/indexes.js';
import { compileValue } from '../components.js';
import { removeReferences } from './remove-references.js';
import { linkOwner } from './link-owner.js';
import { compileLinks } from './links.js';
import { attachMorph, detachMorph } from './morph-links.js';
import { appendMarks, pushMarks } from './marks.js';
import { mergeEmbeddedLists } from './merge-embedded-lists.js';
import { preconditionsOf } from './preconditions.js';
import { compileRelease, linkParts } from './release.js';
import { compileShare } from './share.js';
import { takeover } from './enforce-one-to-one.js';
import { unlinkPipeline } from './unlink.js';

/** One command of a write; `update` is a pipeline if it depends on stored values. */
export type WriteCommand =
  | { readonly kind: 'insert'; readonly document: Document }
  | {
      readonly kind: 'update';
      readonly filter: Document;
      readonly update: Document | readonly Document[];
      readonly many: boolean;
    }
  | { readonly kind: 'remove'; readonly filter: Document }
  /** `from` is the collection that is read, if it is another one. */
  | { readonly kind: 'merge'; readonly pipeline: readonly Document[]; readonly from?: string };

/** Compiles a write to commands on the collection of its type, in order. Values enter pipelines as `$literal` only. */
export function compileWrite(write: Write): readonly WriteCommand[] {
  switch (write.kind) {
    case 'insert':
      return [{ kind: 'insert', document: insertedDocument(write.id, write.changes) }];
    case 'update': {
      const required = preconditionsOf(write.changes).map(({ condition }) => condition);
      const filter = {
        _id: write.id,
        ...(required.length > 0 && { $and: required }),
        ...(write.alone === true && { localizations: { $exists: false } }),
      };
      return [{ kind: 'update', filter, update: compileUpdate(write.changes), many: false }];
    }
    case 'remove':
      return [{ kind: 'remove', filter: { _id: write.id } }];
    case 'link':
      return write.owners.map((owner, index) => {
        const { attribute, target, seen, reserved: n } = write;
        const update = linkOwner(write, index);
        // Its rank is one between others: only the mark tells when it was placed.
        const mark = { a: attribute.name, ...(attribute.many && { r: target }), n, p: target };
        const placed = seen === undefined ? [] : [{ $set: appendMarks([mark]) }];
        return { kind: 'update', filter: { _id: owner }, update: withStages(update, placed), many: false } as const;
      });
    case 'takeover':
      return [{ kind: 'merge', pipeline: takeover(write.type, write.attribute, write.target, write.rank) }];
    case 'unlink': {
      const { name } = write.attribute;
      if (write.rank !== undefined) return [compileDisconnect(write, { $literal: true })];
      const filter = { [name]: { $in: write.targets }, ...ownersFilter(write.owners) };
      return [{ kind: 'update', filter, update: unlinkPipeline(name, write.targets), many: true }];
    }
    case 'release':
      return [{ kind: 'merge', pipeline: compileRelease(write), from: write.side.collection }];
    case 'attach':
      return write.owners.map((owner) => {
        const update = attachMorph(write.attribute, write.target, write.rank ?? 0);
        return { kind: 'update', filter: { _id: owner }, update, many: false } as const;
      });
    case 'detach': {
      if (write.rank !== undefined) return [compileDisconnect(write, { $literal: true })];
      const { filter, update } = detachMorph(write.attribute, write.target);
      return [{ kind: 'update', filter: { ...filter, ...ownersFilter(write.owners) }, update, many: true }];
    }
    case 'share':
      return [{ kind: 'merge', pipeline: compileShare(write) }];
    case 'forget': {
      const { filter, update } = removeReferences(write.type, write.target, write.id);
      return [{ kind: 'update', filter, update, many: true }];
    }
    default:
      return write satisfies never;
  }
}

const withStages = (
  update: Document | readonly Document[],
  stages: readonly Document[],
): Document | readonly Document[] => (Array.isArray(update) ? [...(update as readonly Document[]), ...stages] : update);

type Disconnect = Write & { readonly kind: 'unlink' | 'detach' };

/** Removes one target from some owners, each of which remembers when, linked or not. */
export function compileDisconnect(write: Disconnect, condition: Document): WriteCommand {
  const { attribute, owners, rank: n = 0 } = write;
  const { without, link } = linkParts(attribute, disconnected(write));
  const update = [{ $set: { ...without(condition), ...appendMarks([{ ...link, n }]) } }];
  return { kind: 'update', filter: ownersFilter(owners), update, many: true };
}

/** The target that is removed. */
export const disconnected = (write: Disconnect): number | MorphLink =>
  write.kind === 'unlink' ? (write.targets[0] ?? 0) : write.target;

function ownersFilter(owners: Owners): Document {
  if ('only' in owners) return { _id: { $in: owners.only } };
  return owners.except.length > 0 ? { _id: { $nin: owners.except } } : {};
}

const noNumbers: ReadonlyMap<string, number> = new Map();

/** The document of a new entry. */
export function insertedDocument(
  id: number,
  { values, links, references, uniqueKeys, stamps = noNumbers }: Changes,
): Document {
  const linked = links.filter(({ connect }) => connect.length > 0);
  const column = (name: string, many: boolean, list: readonly unknown[]): [string, unknown] => [
    name,
    many ? list : list.at(-1),
  ];
  const ranked = linked.filter(({ ranks }) => ranks.length > 0);
  const ranks = ranked.map(({ attribute: { name, many }, ranks: list }) => column(name, many, list));
  const stored = [...values].filter(([, value]) => value !== undefined);
  return {
    _id: id,
    // A scan finds the first fields of a document soonest, and needs these of every entry.
    ...Object.fromEntries(stored.filter(([name]) => isListed(name))),
    ...Object.fromEntries(stored),
    ...Object.fromEntries(
      linked.map(({ attribute: { name, many }, connect }) =>
        column(
          name,
          many,
          connect.map((link) => link.id),
        ),
      ),
    ),
    ...ranksField(ranks),
    ...(stamps.size > 0 && { _at: Object.fromEntries(stamps) }),
    ...(references.add.length > 0 && { [REFERENCES]: references.add }),
    ...(uniqueKeys.add.length > 0 && { _unique: uniqueKeys.add }),
  };
}

/** Plain operators if the new values suffice; otherwise a pipeline. */
export function compileUpdate(changes: Changes): Document | readonly Document[] {
  const parts = partsOf(changes);
  const { computed, replaced, set, unset } = parts;
  const { marks = [] } = changes;
  if (Object.keys(computed).length > 0) return stagesOf(parts, marks);
  return {
    ...(replaced.length > 0 && { $max: Object.fromEntries(replaced) }),
    ...(marks.length > 0 && { $push: pushMarks(marks) }),
    ...(Object.keys(set).length > 0 && { $set: set }),
    ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((name) => [name, ''])) }),
  };
}

/** An update as a pipeline, which a read can also execute. */
export const updateStages = (changes: Changes): readonly Document[] => stagesOf(partsOf(changes), changes.marks);

function stagesOf(
  { computed, replaced, set, unset, prepare, temporary }: ReturnType<typeof partsOf>,
  marks: NonNullable<Changes['marks']> = [],
): readonly Document[] {
  const literals = Object.fromEntries(Object.entries(set).map(([name, value]) => [name, { $literal: value }]));
  const removed = [...unset, ...temporary];
  return [
    ...(Object.keys(prepare).length > 0 ? [{ $set: prepare }] : []),
    {
      $set: {
        ...literals,
        ...computed,
        ...Object.fromEntries(replaced.map(raised)),
        ...(marks.length > 0 && appendMarks(marks)),
      },
    },
    ...(removed.length > 0 ? [{ $unset: removed }] : []),
  ];
}

/** The parts of an update: new values, and those that depend on stored ones. */
function partsOf({ values, merges, links, references, uniqueKeys, stamps = noNumbers, sets = noNumbers }: Changes) {
  const compiled = links.map(compileLinks);
  const own = [...values].filter(([name]) => !stamps.has(name));
  return {
    set: Object.assign(
      Object.fromEntries(own.filter(([, value]) => value !== undefined)),
      ...compiled.map((parts) => parts.set),
    ) as Document,
    unset: [
      ...own.filter(([, value]) => value === undefined).map(([name]) => name),
      ...compiled.flatMap((parts) => parts.unset),
    ],
    prepare: Object.assign({}, ...compiled.map((parts) => parts.prepare)) as Document,
    computed: {
      ...(Object.assign({}, ...compiled.map((parts) => parts.computed)) as Document),
      ...Object.fromEntries([...merges].map(([name, change]) => [name, compileValue(`$${name}`, change)])),
      ...mergeEmbeddedLists(REFERENCES, references),
      ...mergeEmbeddedLists('_unique', uniqueKeys),
      ...Object.fromEntries([...stamps].flatMap(([name, stamp]) => compileStamped(name, values.get(name), stamp))),
    },
    temporary: compiled.flatMap((parts) => parts.temporary),
    replaced: [...sets].map(([name, rank]) => [`_set.${name}`, rank] as const),
  };
}

const raised = ([path, rank]: readonly [string, number]): [string, Document] => [path, { $max: [`$${path}`, rank] }];

/** A shared value, unless it was written with a higher stamp. */
function compileStamped(name: string, value: StoredValue | undefined, stamp: number): readonly [string, Document][] {
  const kept = `$_at.${name}`;
  const written = value === undefined ? '$$REMOVE' : { $literal: value };
  return [
    [name, { $cond: [{ $lt: [{ $ifNull: [kept, 0] }, stamp] }, written, `$${name}`] }],
    [`_at.${name}`, { $max: [kept, stamp] }],
  ];
}
