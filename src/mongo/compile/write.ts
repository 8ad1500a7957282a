import type { Document } from 'mongodb';
import type { Changes, Links, Replacement, Write } from '../../query/write.js';
import { forgetReference } from './forget.js';
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
  | { readonly kind: 'remove'; readonly filter: Document };

/** Compiles a write to commands on the collection of its type, in order. Values enter pipelines as `$literal` only. */
export function compileWrite(write: Write): readonly WriteCommand[] {
  switch (write.kind) {
    case 'insert':
      return [{ kind: 'insert', document: compileInsert(write.id, write.changes) }];
    case 'update':
      return [{ kind: 'update', filter: { _id: write.id }, update: compileUpdate(write.changes), many: false }];
    case 'remove':
      return [{ kind: 'remove', filter: { _id: write.id } }];
    case 'link':
      return write.owners.map((owner, index) => {
        const links = { attribute: write.attribute, ids: [write.target], ranks: write.ranks.slice(index, index + 1) };
        const update = write.attribute.many
          ? [{ $set: append(links) }]
          : compileUpdate({ ...noChanges, links: [links] });
        return { kind: 'update', filter: { _id: owner }, update, many: false } as const;
      });
    case 'unlink': {
      const { name, many } = write.attribute;
      const except = write.except.length > 0 ? { _id: { $nin: write.except } } : {};
      const filter = { [name]: { $in: write.targets }, ...except };
      const update = many ? unlinkPipeline(name, write.targets) : { $unset: { [name]: '', [`_rank.${name}`]: '' } };
      return [{ kind: 'update', filter, update, many: true }];
    }
    case 'forget': {
      const { filter, update } = forgetReference(write.type, write.target, write.id);
      return [{ kind: 'update', filter, update, many: true }];
    }
    default:
      return write satisfies never;
  }
}

const noChanges: Changes = {
  values: new Map(),
  links: [],
  references: { paths: [], add: [] },
  uniqueKeys: { paths: [], add: [] },
};

function compileInsert(id: number, { values, links, references, uniqueKeys }: Changes): Document {
  const ranked = links.filter(({ ranks }) => ranks.length > 0);
  return {
    _id: id,
    ...Object.fromEntries([...values].filter(([, value]) => value !== undefined)),
    ...Object.fromEntries(links.flatMap((link) => (link.ids.length > 0 ? [[link.attribute.name, stored(link)]] : []))),
    ...(ranked.length > 0 && { _rank: Object.fromEntries(ranked.map((link) => [link.attribute.name, ranks(link)])) }),
    ...(references.add.length > 0 && { _refs: references.add }),
    ...(uniqueKeys.add.length > 0 && { _unique: uniqueKeys.add }),
  };
}

const stored = ({ attribute, ids }: Links): unknown => (attribute.many ? ids : ids[0]);
const ranks = (link: Links): unknown => (link.attribute.many ? link.ranks : link.ranks[0]);

/** Plain operators where the new values are all there is to know; else a pipeline. */
function compileUpdate({ values, links, references, uniqueKeys }: Changes): Document | readonly Document[] {
  const [set, unset] = split(values);
  const computed = {
    ...Object.assign({}, ...links.filter(({ ids }) => ids.length > 0).map(relink)),
    ...replace('_refs', references),
    ...replace('_unique', uniqueKeys),
  } as Document;
  const cleared = links
    .filter(({ ids }) => ids.length === 0)
    .flatMap(({ attribute: { name } }) => [name, `_rank.${name}`]);
  const gone = [...unset, ...cleared];
  if (Object.keys(computed).length === 0) {
    return {
      ...(Object.keys(set).length > 0 && { $set: set }),
      ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((name) => [name, ''])) }),
    };
  }
  const literals = Object.fromEntries(Object.entries(set).map(([name, value]) => [name, { $literal: value }]));
  return [{ $set: { ...literals, ...computed } }, ...(gone.length > 0 ? [{ $unset: gone }] : [])];
}

function split(values: Changes['values']): [Document, string[]] {
  const entries = [...values];
  const set = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  return [set, entries.filter(([, value]) => value === undefined).map(([name]) => name)];
}

/** Replaces the ids of a relation; an id that stays keeps its rank in the other side's order. */
function relink(link: Links): Document {
  const { name, many } = link.attribute;
  const ids = { [name]: { $literal: stored(link) } };
  if (link.ranks.length === 0) return ids;
  const held = `$_rank.${name}`;
  if (!many) {
    const stays = { $and: [{ $eq: [`$${name}`, { $literal: link.ids[0] }] }, { $ne: [{ $type: held }, 'missing'] }] };
    return { ...ids, [`_rank.${name}`]: { $cond: [stays, held, { $literal: link.ranks[0] }] } };
  }
  const rank = link.ids.map((id, index) => {
    const at = { $indexOfArray: [{ $ifNull: [`$${name}`, []] }, { $literal: id }] };
    const fresh = { $literal: link.ranks[index] };
    return { $let: { vars: { at }, in: { $cond: [{ $lt: ['$$at', 0] }, fresh, { $arrayElemAt: [held, '$$at'] }] } } };
  });
  return { ...ids, [`_rank.${name}`]: rank };
}

/** Adds one id at the end of a list, or gives it its new rank where it is. */
function append({ attribute: { name }, ids: [id], ranks: [rank] }: Links): Document {
  const held = { $ifNull: [`$${name}`, []] };
  const order = { $ifNull: [`$_rank.${name}`, []] };
  const at = { $indexOfArray: [held, { $literal: id }] };
  const keepOrMove = { $cond: [{ $eq: ['$$index', '$$at'] }, rank, { $arrayElemAt: [order, '$$index'] }] };
  const moved = { $map: { input: { $range: [0, { $size: order }] }, as: 'index', in: keepOrMove } };
  const isNew = { $lt: [at, 0] };
  return {
    [name]: { $cond: [isNew, { $concatArrays: [held, [{ $literal: id }]] }, held] },
    ...(rank !== undefined && {
      [`_rank.${name}`]: {
        $let: { vars: { at }, in: { $cond: [{ $lt: ['$$at', 0] }, { $concatArrays: [order, [rank]] }, moved] } },
      },
    }),
  };
}

/** Drops the elements whose path is at or below one that was written, and adds the new ones. */
function replace(name: '_refs' | '_unique', { paths, add }: Replacement<{ readonly a: string }>): Document {
  if (paths.length === 0 && add.length === 0) return {};
  const below = paths.flatMap((path) => [
    { $eq: ['$$one.a', { $literal: path }] },
    { $eq: [{ $indexOfCP: ['$$one.a', { $literal: `${path}.` }] }, 0] },
  ]);
  const kept = { $filter: { input: { $ifNull: [`$${name}`, []] }, as: 'one', cond: { $not: [{ $or: below }] } } };
  const all = { $concatArrays: [kept, { $literal: add }] };
  return { [name]: { $let: { vars: { all }, in: { $cond: [{ $eq: ['$$all', []] }, '$$REMOVE', '$$all'] } } } };
}
