import lodash from 'lodash';
import { isAbsent, isRecord } from '../../../config/record.js';
import { isKeyword } from '../../entity-service/convert-params.js';
import { RELATED } from '../../query-engine/related-files.js';
import type { Model, Named } from '../../strapi.js';
import { contentTypes } from '../content-types.js';
import type { Sanitizing } from './sanitize-output.js';
import { modelOf } from './traverse-entity.js';

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
const isEmpty = (value: unknown): boolean => isAbsent(value) || value === '' || isEmptyObject(value);
const { isMorphToRelationalAttribute, isPrivateAttribute, isScalarAttribute, isTypedAttribute } = contentTypes;

/** Whether the values of an attribute are in the responses to the caller. */
function isShown(name: string, model: Model, { mayFind }: Sanitizing): boolean {
  const { type, target } = model.attributes[name] ?? {};
  if (isPrivateAttribute(model, name)) return false;
  return type !== 'relation' || target === undefined || target === 'admin::user' || mayFind(String(target));
}

/** Whether an attribute can be in a filter or a sort, by anybody. */
function isComparable(name: string, model: Model): boolean {
  const attribute = model.attributes[name];
  const type: unknown = attribute?.['type'];
  if (type === undefined || type === 'dynamiczone' || type === 'password') return false;
  return !isMorphToRelationalAttribute(attribute) && !isPrivateAttribute(model, name);
}

/** The target of an attribute: the type of a relation, or a component. */
const modelBehind = (name: string, model: Model, { getModel }: Sanitizing): Model | undefined =>
  modelOf(model.attributes[name] ?? {}, undefined, getModel);

type Keeps = (key: string, value: unknown, model: Model) => boolean;

/** The conditions at all levels that are kept. As in Strapi v4, what becomes empty stays, except in a list. */
function filterConditions(filters: unknown, model: Model, sanitizing: Sanitizing, keeps: Keeps): unknown {
  if (Array.isArray(filters)) {
    const cleaned = filters.map((filter) => filterConditions(filter, model, sanitizing, keeps));
    return cleaned.filter((filter) => !isEmptyObject(filter));
  }
  if (!isRecord(filters)) return filters;
  const kept = Object.entries(filters).filter(([key, value]) => keeps(key, value, model));
  return Object.fromEntries(
    kept.map(([key, value]) => {
      const isAttribute = model.attributes[key] !== undefined;
      const behind = isAttribute ? modelBehind(key, model, sanitizing) : model;
      const isEnd = isAbsent(value) || behind === undefined;
      return [key, isEnd ? value : filterConditions(value, behind, sanitizing, keeps)];
    }),
  );
}

function cleanFilters(filters: unknown, model: Model, sanitizing: Sanitizing): unknown {
  if (Array.isArray(filters)) return filters.map((filter) => cleanFilters(filter, model, sanitizing));
  const passes: readonly Keeps[] = [
    (key, _, at) =>
      sanitizing.ids.has(key) || (at.attributes[key] === undefined ? isKeyword(key) : isComparable(key, at)),
    (_, value) => !isEmptyObject(value),
    (key, _, at) => at.attributes[key] === undefined || isShown(key, at, sanitizing),
  ];
  return passes.reduce((cleaned, keeps) => filterConditions(cleaned, model, sanitizing, keeps), filters);
}

/** Whether a client can sort by a path, e.g. `teacher.name:asc`; it ends with a value. */
function isOpenPath(path: string, model: Model, sanitizing: Sanitizing): boolean {
  const [names = ''] = path.split(':');
  let at: Model | undefined = model;
  for (const name of names.split('.')) {
    if (at === undefined) return false;
    if (!sanitizing.ids.has(name) && !(isComparable(name, at) && isShown(name, at, sanitizing))) return false;
    at = modelBehind(name, at, sanitizing);
  }
  return at === undefined;
}

function cleanSort(sort: unknown, model: Model, sanitizing: Sanitizing): unknown {
  if (typeof sort === 'string') {
    const open = sort.split(',').filter((path) => isOpenPath(path.trim(), model, sanitizing));
    return open.length === 0 && !sort.includes(',') ? undefined : open.map((path) => path.trim()).join(',');
  }
  if (Array.isArray(sort)) {
    return sort.map((key) => cleanSort(key, model, sanitizing)).filter((key) => !isEmpty(key));
  }
  if (!isRecord(sort)) return sort;
  const kept = Object.entries(sort).flatMap(([name, value]): [string, unknown][] => {
    const behind = modelBehind(name, model, sanitizing);
    if (behind === undefined) return isOpenPath(name, model, sanitizing) ? [[name, value]] : [];
    const isOpen = isComparable(name, model) && isShown(name, model, sanitizing);
    const nested = isOpen ? cleanSort(value, behind, sanitizing) : undefined;
    return isEmpty(nested) ? [] : [[name, nested]];
  });
  return Object.fromEntries(kept);
}

/**
 * The names of values but passwords, and but private ones. As in Strapi v4, a list at the first level keeps private
 * names beside one that is removed: the sanitized response lacks them.
 */
function cleanFields(fields: unknown, model: Model, { ids }: Sanitizing, nested: boolean): unknown {
  const isVisible = (name: string): boolean => !isPrivateAttribute(model, name);
  if (Array.isArray(fields)) {
    const names = fields.map((field: unknown) => (typeof field === 'string' ? field.trim() : field));
    const values = names.filter((name) => typeof name !== 'string' || isSelectable(name, model, ids));
    return !nested && values.length < names.length ? values : values.filter((name) => isVisible(String(name)));
  }
  if (typeof fields !== 'string') return fields;
  const name = fields.trim();
  return isSelectable(name, model, ids) && isVisible(name) ? name : undefined;
}

function isSelectable(name: string, { attributes }: Model, ids: ReadonlySet<string>): boolean {
  if (name === '*' || ids.has(name)) return true;
  const attribute = attributes[name];
  return attribute?.['type'] !== undefined && isScalarAttribute(attribute) && !isTypedAttribute(attribute, 'password');
}

/** @param nested `*` leaves out `related` of files, which only a query for the files themselves has */
function cleanPopulate(populate: unknown, model: Model, sanitizing: Sanitizing, nested: boolean): unknown {
  if (populate === '*') {
    const names = Object.keys(model.attributes).filter((name) => !isScalarAttribute(model.attributes[name]));
    const own = nested && model.uid === RELATED.uid ? names.filter((name) => name !== RELATED.name) : names;
    return cleanPopulate(Object.fromEntries(own.map((name) => [name, true])), model, sanitizing, nested);
  }
  if (typeof populate === 'string') {
    // Strapi v4 looks at such a list as one name, so that it keeps what the caller may not see.
    const paths = populate.split(',').map((path) => cleanPath(path.trim(), model, sanitizing));
    const kept = paths.filter((path) => path !== undefined);
    return kept.length === 0 ? undefined : kept.join(',');
  }
  if (Array.isArray(populate)) {
    return populate.map((path) => cleanPopulate(path, model, sanitizing, nested)).filter((path) => !isAbsent(path));
  }
  if (!isRecord(populate)) return populate;
  const kept = Object.entries(populate).filter(
    ([name]) => model.attributes[name] === undefined || isShown(name, model, sanitizing),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, cleanNode(name, value, model, sanitizing)]));
}

/** `teacher.mentor` up to what the caller may see; a name that is no attribute stays. */
function cleanPath(path: string, model: Model, sanitizing: Sanitizing): string | undefined {
  const [root = '', ...below] = path.split('.');
  if (model.attributes[root] === undefined) return path;
  if (!isShown(root, model, sanitizing)) return undefined;
  const behind = modelBehind(root, model, sanitizing);
  if (behind === undefined || below.length === 0) return path;
  const rest = cleanPath(below.join('.'), behind, sanitizing);
  return rest === undefined ? root : `${root}.${rest}`;
}

/** A value within `populate`: below an attribute, or a parameter of the level. */
function cleanNode(name: string, value: unknown, model: Model, sanitizing: Sanitizing): unknown {
  const attribute = model.attributes[name];
  if (attribute === undefined) {
    if (name === 'on' && isRecord(value)) return cleanKinds(value, sanitizing);
    return isPart(name) ? cleaners[name](value, model, sanitizing, true) : value;
  }
  const behind = modelBehind(name, model, sanitizing);
  if (behind !== undefined) return cleanPopulate(value, behind, sanitizing, true);
  return isRecord(value) && isRecord(value['on']) ? { ...value, on: cleanKinds(value['on'], sanitizing) } : value;
}

const cleanKinds = (on: Named, sanitizing: Sanitizing): Named =>
  lodash.mapValues(on, (inner: unknown, uid) => {
    const kind = sanitizing.getModel(uid);
    return kind === undefined ? inner : cleanPopulate(inner, kind, sanitizing, true);
  });

/** The parameters that name attributes. */
export const parts = ['filters', 'sort', 'fields', 'populate'] as const;
export type Part = (typeof parts)[number];
const isPart = (name: string): name is Part => parts.some((part) => part === name);

/** @param nested within `populate` */
type Clean = (value: unknown, model: Model, sanitizing: Sanitizing, nested: boolean) => unknown;

const cleaners: Readonly<Record<Part, Clean>> = {
  filters: cleanFilters,
  sort: cleanSort,
  fields: cleanFields,
  populate: cleanPopulate,
};

/** A query without parameters that a client may not use. */
export const cleanQuery = (query: Named, model: Model, sanitizing: Sanitizing): Named =>
  lodash.mapValues(query, (value: unknown, name) =>
    isPart(name) && value ? cleaners[name](value, model, sanitizing, false) : value,
  );
