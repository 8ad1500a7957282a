import type { Document } from 'mongodb';
import { isRanked, type Changes, type Owners, type Write } from '../../query/write.js';
import { compileValue } from './components.js';
import { forgetReference } from './forget.js';
import { linkOwner } from './link-owner.js';
import { compileLinks } from './links.js';
import { attachMorph, detachMorph } from './morph-links.js';
import { compileReplacement } from './replacement.js';
import { requirementsOf } from './requirements.js';
import { takeover } from './takeover.js';
import { unlinkPipeline } from './unlink.js';

/** One command of a write; `update` is a pipeline where it has to look at what is stored. */
export type WriteCommand =
  | { readonly kind: 'insert'; readonly document: Document }
  | {
      readonly kind: 'update';
      readonly filter: Document;
      readonly update: Document | readonly Document[];
      readonly many: boolean;
    }
  | { readonly kind: 'remove'; readonly filter: Document }
  | { readonly kind: 'merge'; readonly pipeline: readonly Document[] };

/** Compiles a write to commands on the collection of its type, in order. Values enter pipelines as `$literal` only. */
export function compileWrite(write: Write): readonly WriteCommand[] {
  switch (write.kind) {
    case 'insert':
      return [{ kind: 'insert', document: insertedDocument(write.id, write.changes) }];
    case 'update': {
      const required = requirementsOf(write.changes).map(({ condition }) => condition);
      const filter = { _id: write.id, ...(required.length > 0 && { $and: required }) };
      return [{ kind: 'update', filter, update: compileUpdate(write.changes), many: false }];
    }
    case 'remove':
      return [{ kind: 'remove', filter: { _id: write.id } }];
    case 'link':
      return write.owners.map((owner, index) => {
        const update = linkOwner(write.attribute, write.target, write.ranks[index]);
        return { kind: 'update', filter: { _id: owner }, update, many: false } as const;
      });
    case 'takeover':
      return [{ kind: 'merge', pipeline: takeover(write.type, write.attribute, write.target, write.rank) }];
    case 'unlink': {
      const { name, many } = write.attribute;
      const filter = { [name]: { $in: write.targets }, ...ownersFilter(write.owners) };
      const update = many ? unlinkPipeline(name, write.targets) : { $unset: { [name]: '', [`_rank.${name}`]: '' } };
      return [{ kind: 'update', filter, update, many: true }];
    }
    case 'attach':
      return write.owners.map((owner) => {
        const update = attachMorph(write.attribute, write.target);
        return { kind: 'update', filter: { _id: owner }, update, many: false } as const;
      });
    case 'detach': {
      const { filter, update } = detachMorph(write.attribute, write.target);
      return [{ kind: 'update', filter: { ...filter, ...ownersFilter(write.owners) }, update, many: true }];
    }
    case 'forget': {
      const { filter, update } = forgetReference(write.type, write.target, write.id);
      return [{ kind: 'update', filter, update, many: true }];
    }
    default:
      return write satisfies never;
  }
}

/**
 * The same of a step that another write came before, and that is done late: it leaves alone what was written since, by
 * the clock or, where it was linked from another side, by its rank.
 */
export function compileLateStep(write: Write, since: Date): readonly WriteCommand[] {
  const older = { updatedAt: { $not: { $gt: since } }, ...(write.kind === 'link' && linkedBefore(write)) };
  return compileWrite(write).map((command) =>
    command.kind === 'update' ? { ...command, filter: { $and: [command.filter, older] } } : command,
  );
}

const linkedBefore = ({ attribute, reserved }: Write & { kind: 'link' }): Document =>
  isRanked(attribute) && !attribute.many ? { [`_rank.${attribute.name}`]: { $not: { $gt: reserved } } } : {};

/** Gives an entry the values that an update names, as another entry of its type has them. */
export function copyValues({ type, id, changes }: Write & { kind: 'update' }, from: number): WriteCommand {
  const values = [...changes.values.keys()].map((name) => [name, `$$new.${name}`] as const);
  const set = { ...Object.fromEntries(values), updatedAt: { $max: ['$updatedAt', '$$new.updatedAt'] } };
  const merge = { into: type.collectionName, whenMatched: [{ $set: set }], whenNotMatched: 'discard' };
  return { kind: 'merge', pipeline: [{ $match: { _id: from } }, { $set: { _id: id } }, { $merge: merge }] };
}

function ownersFilter(owners: Owners): Document {
  if ('only' in owners) return { _id: { $in: owners.only } };
  return owners.except.length > 0 ? { _id: { $nin: owners.except } } : {};
}

/** The document of a new entry. */
export function insertedDocument(id: number, { values, links, references, uniqueKeys }: Changes): Document {
  const linked = links.filter(({ connect }) => connect.length > 0);
  const column = (name: string, many: boolean, list: readonly unknown[]): [string, unknown] => [
    name,
    many ? list : list.at(-1),
  ];
  const ranked = linked.filter(({ ranks }) => ranks.length > 0);
  const ranks = ranked.map(({ attribute: { name, many }, ranks: list }) => column(name, many, list));
  return {
    _id: id,
    ...Object.fromEntries([...values].filter(([, value]) => value !== undefined)),
    ...Object.fromEntries(
      linked.map(({ attribute: { name, many }, connect }) =>
        column(
          name,
          many,
          connect.map((one) => one.id),
        ),
      ),
    ),
    ...(ranks.length > 0 && { _rank: Object.fromEntries(ranks) }),
    ...(references.add.length > 0 && { _refs: references.add }),
    ...(uniqueKeys.add.length > 0 && { _unique: uniqueKeys.add }),
  };
}

/** Plain operators where the new values are all there is to know; else a pipeline. */
function compileUpdate({ values, merges, links, references, uniqueKeys }: Changes): Document | readonly Document[] {
  const compiled = links.map(compileLinks);
  const set = Object.assign(
    Object.fromEntries([...values].filter(([, value]) => value !== undefined)),
    ...compiled.map((one) => one.set),
  ) as Document;
  const unset = [
    ...[...values].filter(([, value]) => value === undefined).map(([name]) => name),
    ...compiled.flatMap((one) => one.unset),
  ];
  const prepare = Object.assign({}, ...compiled.map((one) => one.prepare)) as Document;
  const computed = {
    ...(Object.assign({}, ...compiled.map((one) => one.computed)) as Document),
    ...Object.fromEntries([...merges].map(([name, change]) => [name, compileValue(`$${name}`, change)])),
    ...compileReplacement('_refs', references),
    ...compileReplacement('_unique', uniqueKeys),
  };
  if (Object.keys(computed).length === 0) {
    return {
      ...(Object.keys(set).length > 0 && { $set: set }),
      ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((name) => [name, ''])) }),
    };
  }
  const literals = Object.fromEntries(Object.entries(set).map(([name, value]) => [name, { $literal: value }]));
  const gone = [...unset, ...compiled.flatMap((one) => one.temporary)];
  return [
    ...(Object.keys(prepare).length > 0 ? [{ $set: prepare }] : []),
    { $set: { ...literals, ...computed } },
    ...(gone.length > 0 ? [{ $unset: gone }] : []),
  ];
}
