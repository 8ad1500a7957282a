import type { Document } from 'mongodb';
import type { ContentType, MorphedAttribute, RelationAttribute } from '../../content-types/types.js';
import type { PopulateNode, RelatedQuery, Selection } from '../../query/ast.js';
import { filterComponents } from './component-filters.js';
import { compileFilter } from './filter.js';
import { isWhole } from './is-whole.js';
import { limitPerParent, ofOwner } from './limit-per-parent.js';
import type { ListAnswer, ReadEntry, ReadNode } from './plan.js';
import { placeOf } from './place-of.js';
import { compileProjection } from './projection.js';
import type { IdQuery } from './semi-join.js';
import { compileSort, sortWithin } from './sort.js';

/**
 * The state of one compilation: the stages so far, how many lists they fetch, and the reads before. All lists are
 * fields of the one document that the page became, so the pipeline stays flat however deep the query is.
 */
export interface Lookups {
  readonly stages: Document[];
  readonly before: IdQuery[];
  /** Helper lists that are dropped at the end. */
  readonly temporary: string[];
  lists: number;
}

/** Compiles what is populated in the documents at `path` of the page document, which are entries or components. */
export function compileEntry(selection: Selection, path: string, lookups: Lookups): ReadEntry {
  const { fields, populate, availableLocales = false } = selection;
  return {
    fields,
    nodes: populate.map((node) => compileNode(node, placeOf(node, selection), path, lookups)),
    availableLocales,
  };
}

function compileNode(node: PopulateNode, name: string, path: string, lookups: Lookups): ReadNode {
  const { key } = node;
  switch (node.kind) {
    case 'component': {
      const { start, limit } = node.selection;
      const entry = compileEntry(node.selection, `${path}.${name}`, lookups);
      const { repeatable } = node.attribute;
      return { kind: 'component', key, name, repeatable, entry, slice: { start, limit }, sort: sortWithin(node) };
    }
    case 'zone': {
      const on = [...node.on].map(([uid, selection]) => {
        if (!looksUp(selection)) return [uid, compileEntry(selection, path, lookups)] as const;
        const mixed = mixes(node, selection);
        const list = mixed ? collectComponents(path, name, uid, lookups) : `${path}.${name}`;
        return [uid, compileEntry(selection, list, lookups)] as const;
      });
      return { kind: 'zone', key, name, on: new Map(on) };
    }
    case 'relation':
      return node.attribute.kind === 'relation' && node.attribute.side === 'owner'
        ? compileOwned(key, node.attribute, node.query, path, lookups)
        : compileInverse(key, node.attribute, node.query, path, lookups);
    case 'morph': {
      const on = [...node.on].map(([type, query]) => {
        const localField = collectMorphIds(path, name, type.uid, lookups);
        return [type.uid, lookUp(query, type, { localField, foreignField: '_id' }, [], lookups)] as const;
      });
      return { kind: 'morph', key, name, many: node.attribute.many, on: new Map(on) };
    }
    default:
      return node satisfies never;
  }
}

function compileOwned(
  key: string,
  attribute: RelationAttribute,
  query: RelatedQuery,
  path: string,
  lookups: Lookups,
): ReadNode {
  const { name, target } = attribute;
  const join = { localField: `${path}.${name}`, foreignField: '_id' };
  const found = lookUp(query, target, join, sortStages(query), lookups);
  const slice = { start: query.start, limit: query.limit };
  const answer = answerOf(attribute, query);
  return { kind: 'owned', key, name, ordered: query.sort.length > 0, slice, answer, ...found };
}

function compileInverse(
  key: string,
  attribute: RelationAttribute | MorphedAttribute,
  query: RelatedQuery,
  path: string,
  lookups: Lookups,
): ReadNode {
  const { target } = attribute;
  const limited = limitPerParent(attribute, query);
  const ofType = attribute.kind === 'morphed' ? attribute.owner : undefined;
  const by = attribute.kind === 'morphed' ? attribute.morphBy : (attribute.inverse ?? '');
  const join = {
    localField: `${path}._id`,
    foreignField: ofType === undefined ? by : `${by}.id`,
    ...(limited && { let: { parents: `$${path}._id` } }),
  };
  const stages = limited ?? sortStages(query);
  const rank = ofType === undefined && limited === undefined ? [`_rank.${by}`] : [];
  const typed = ofType === undefined || limited !== undefined ? stages : [{ $match: ofOwner(attribute) }, ...stages];
  const found = lookUp(query, target, join, typed, lookups, by, ...rank);
  const ordered = limited !== undefined || query.sort.length > 0;
  return { kind: 'inverse', key, by, type: ofType, ordered, answer: answerOf(attribute, query), ...found };
}

function answerOf(attribute: RelationAttribute | MorphedAttribute, { count }: RelatedQuery): ListAnswer {
  if (count) return 'count';
  if (!attribute.many) return 'one';
  return attribute.kind === 'morphed' || attribute.media ? 'manyOrNull' : 'many';
}

const sortStages = ({ sort }: RelatedQuery): readonly Document[] => (sort.length > 0 ? compileSort(sort).stages : []);

/** One `$lookup` for all parents of the page, and then what is populated in its results. */
function lookUp(
  query: RelatedQuery,
  type: ContentType,
  join: Document,
  stages: readonly Document[],
  lookups: Lookups,
  ...also: readonly string[]
): { from: string; entry: ReadEntry } {
  const from = `r${lookups.lists++}`;
  const filter = query.filter === undefined ? [] : [{ $match: compileFilter(query.filter, lookups.before) }];
  const project = isWhole(query, type.attributes) ? [] : [{ $project: compileProjection(query, ...also) }];
  const pipeline = [...filter, ...stages, ...filterComponents(query, lookups.before), ...project];
  // Without stages MongoDB looks entries up in a shorter way.
  const within = pipeline.length > 0 ? { pipeline } : {};
  lookups.stages.push({ $lookup: { from: type.collectionName, ...join, ...within, as: from } });
  return { from, entry: compileEntry(query, from, lookups) };
}

/** Is anything looked up for what is selected, at any depth of components? */
const looksUp = ({ populate }: Selection): boolean =>
  populate.some((node) => node.kind !== 'component' || looksUp(node.selection));

/** Would a plain path through the zone lead into other kinds of components too, or does a morph need them one by one? */
const mixes = ({ attribute }: Extract<PopulateNode, { kind: 'zone' }>, selection: Selection): boolean =>
  selection.populate.some((node) => {
    const having = [...attribute.components.values()].filter(({ attributes }) => attributes.has(node.attribute.name));
    return having.length > 1 || hasMorph(node);
  });

const hasMorph = (node: PopulateNode): boolean =>
  node.kind === 'morph' || (node.kind === 'component' && node.selection.populate.some(hasMorph));

/** A list of all components of one kind in a zone. */
function collectComponents(path: string, name: string, uid: string, lookups: Lookups): string {
  const ofKind = { $eq: ['$$component.__component', uid] };
  const components = { $ifNull: [`$$this.${name}`, []] };
  return collect(path, { $filter: { input: components, as: 'component', cond: ofKind } }, lookups);
}

/** A list of the ids that a morph holds of one type. */
function collectMorphIds(path: string, name: string, uid: string, lookups: Lookups): string {
  const held = `$$this.${name}`;
  const links = { $cond: [{ $isArray: held }, held, [held]] };
  const ofType = { $filter: { input: links, as: 'link', cond: { $eq: ['$$link.__type', uid] } } };
  return collect(path, { $map: { input: ofType, as: 'link', in: '$$link.id' } }, lookups);
}

function collect(path: string, list: Document, lookups: Lookups): string {
  const as = `l${lookups.temporary.length}`;
  const all = { $reduce: { input: `$${path}`, initialValue: [], in: { $concatArrays: ['$$value', list] } } };
  lookups.stages.push({ $set: { [as]: all } });
  lookups.temporary.push(as);
  return as;
}
