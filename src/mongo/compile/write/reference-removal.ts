import type { Document } from 'mongodb';
import type { Attribute, Attributes, ContentType } from '../../../content-types/model/types.js';
import { isIndexed, linkFields, rankPath, REFERENCES, REFERENCE_TARGETS, referenceTo } from '../../stored/relation.js';
import type { ReferenceRemoval } from '../../../query/mutation.js';

/** An update of all entries that a filter finds. */
interface Update {
  readonly filter: Document;
  readonly update: readonly Document[];
}

/** The update that removes the references of one type to an entry. It finds nothing any more when it is repeated. */
export function compileRemoval(removal: ReferenceRemoval): Update {
  if (removal.kind === 'forget') return forget(removal.type, removal.target, removal.id);
  const { attribute, targets } = removal;
  return { filter: { [attribute.name]: { $in: targets } }, update: unlinkPipeline(attribute.name, targets) };
}

/** Removes a target from all components, zones, morphs and media fields of the entries of a type that refer to it. */
function forget(type: ContentType, target: ContentType, id: number): Update {
  const reference = referenceTo(target, id);
  const others = {
    $filter: { input: `$${REFERENCES}`, as: 'one', cond: { $ne: ['$$one.r', { $literal: reference }] } },
  };
  const values = [...type.attributes.values()].flatMap((attribute) => {
    const value = without(attribute, `$${attribute.name}`, target, id);
    return value === undefined ? [] : [[attribute.name, value] as const];
  });
  return {
    filter: { [REFERENCE_TARGETS]: reference },
    update: [{ $set: { ...Object.fromEntries(values), [REFERENCES]: someOf(others) } }],
  };
}

/** Whether this attribute can contain a reference to the type, at any depth. */
export function mayRefer(attribute: Attribute, target: ContentType): boolean {
  return without(attribute, '', target, 0) !== undefined;
}

/** The attribute's value without the target; undefined if it cannot contain it. */
function without(attribute: Attribute, path: string, target: ContentType, id: number): Document | undefined {
  switch (attribute.kind) {
    case 'scalar':
    case 'morphed':
      return undefined;
    case 'relation': {
      const isTopLevel = isIndexed(attribute) && !path.startsWith('$$');
      const refers = attribute.side === 'owner' && attribute.target === target && !isTopLevel;
      return refers ? withoutValue(path, { $literal: id }) : undefined;
    }
    case 'morph':
      return withoutValue(path, { $literal: { __type: target.uid, id } });
    case 'component': {
      const inner = withoutIn(attribute.component.attributes, target, id);
      if (inner === undefined) return undefined;
      return ifPresent(path, inEach(path, inner, { $let: { vars: { component: path }, in: inner } }));
    }
    case 'zone': {
      const branches = [...attribute.components.values()].flatMap(({ uid, attributes }) => {
        const inner = withoutIn(attributes, target, id);
        return inner === undefined ? [] : [{ case: { $eq: ['$$component.__component', uid] }, then: inner }];
      });
      if (branches.length === 0) return undefined;
      const changed = { $switch: { branches, default: '$$component' } };
      return ifPresent(path, inEach(path, changed, path));
    }
    default:
      return attribute satisfies never;
  }
}

/** A component in which each attribute that can contain the target is set again. */
function withoutIn(attributes: Attributes, target: ContentType, id: number): Document | undefined {
  let result: Document | undefined;
  for (const attribute of attributes.values()) {
    const value = without(attribute, `$$component.${attribute.name}`, target, id);
    if (value !== undefined) {
      result = { $setField: { field: attribute.name, input: result ?? '$$component', value } };
    }
  }
  return result;
}

/** By the stored form, a list or not: the definition may have changed since, see `npx content-service migrate`. */
const withoutValue = (path: string, value: Document): Document => ({
  $cond: [
    { $isArray: [path] },
    someOf({ $filter: { input: path, as: 'one', cond: { $ne: ['$$one', value] } } }),
    { $cond: [{ $eq: [path, value] }, '$$REMOVE', path] },
  ],
});

/** The components without the target: each of a list, or a single one. */
const inEach = (path: string, inner: Document, alone: Document | string): Document => ({
  $cond: [{ $isArray: [path] }, { $map: { input: path, as: 'component', in: inner } }, alone],
});

const ifPresent = (path: string, value: Document): Document => ({
  $cond: [{ $eq: [{ $type: path }, 'missing'] }, '$$REMOVE', value],
});

/**
 * Removes ids from a relation, with their ranks; a list that becomes empty is removed. It works on a stored list and on
 * one id: the definition may have changed since, see `npx content-service migrate`.
 */
function unlinkPipeline(name: string, targets: readonly number[]): readonly Document[] {
  const [stored, storedRanks] = [`$${name}`, `$${rankPath(name)}`];
  const storedIds = '$_ids';
  const isKept = (index: string): Document => ({
    $not: [{ $in: [{ $arrayElemAt: [storedIds, index] }, { $literal: targets }] }],
  });
  const kept = { $filter: { input: { $range: [0, { $size: storedIds }] }, as: 'at', cond: isKept('$$at') } };
  const pick = (list: string): Document => ({
    $map: { input: '$_kept', as: 'at', in: { $arrayElemAt: [list, '$$at'] } },
  });
  const some = (list: string): Document => ({ $cond: [{ $eq: ['$_kept', []] }, '$$REMOVE', pick(list)] });
  const ranks = { $cond: [{ $isArray: [storedRanks] }, some(storedRanks), '$$REMOVE'] };
  return [
    { $set: { _ids: { $cond: [{ $isArray: [stored] }, stored, [stored]] } } },
    { $set: { _kept: kept } },
    { $set: linkFields(name, some(storedIds), ranks) },
    { $unset: ['_ids', '_kept'] },
  ];
}

/** A list, or no field if it is empty. */
const someOf = (list: Document): Document => ({
  $let: { vars: { list }, in: { $cond: [{ $eq: ['$$list', []] }, '$$REMOVE', '$$list'] } },
});
