import { isRecord } from '../../../config/record.js';
import type { Model, Named } from '../../strapi.js';
import type { Sanitizing } from './sanitize-output.js';
import { modelOf } from './traverse-entity.js';

/** Whether a client may use this attribute in a filter or a sort. */
function isOpen(name: string, model: Model, { mayFind }: Sanitizing): boolean {
  if (name === 'id') return true;
  const attribute = model.attributes[name];
  const hidden = (model.options['privateAttributes'] as readonly string[] | undefined) ?? [];
  if (attribute === undefined || hidden.includes(name)) return false;
  if (attribute['private'] === true || attribute['type'] === 'password') return false;
  const target: unknown = attribute['type'] === 'relation' ? attribute['target'] : undefined;
  return target === undefined || target === 'admin::user' || mayFind(String(target));
}

/** The target of an attribute: the type of a relation, or a component. */
const modelBehind = (name: string, model: Model, { getModel }: Sanitizing): Model | undefined =>
  modelOf(model.attributes[name] ?? {}, undefined, getModel);

/** Filters without the attributes that a client may not use; conditions that become empty are removed. */
function cleanFilters(filters: unknown, model: Model, sanitizing: Sanitizing): unknown {
  if (Array.isArray(filters)) {
    const kept = filters.map((filter) => cleanFilters(filter, model, sanitizing));
    return kept.filter((cleaned) => !isRecord(cleaned) || Object.keys(cleaned).length > 0);
  }
  if (!isRecord(filters)) return filters;
  const kept = Object.entries(filters).flatMap(([name, value]): [string, unknown][] => {
    if (name.startsWith('$')) return [[name, cleanFilters(value, model, sanitizing)]];
    if (!isOpen(name, model, sanitizing)) return [];
    const behind = modelBehind(name, model, sanitizing);
    if (behind === undefined) return [[name, value]];
    const nested = cleanFilters(value, behind, sanitizing);
    return isRecord(nested) && Object.keys(nested).length === 0 ? [] : [[name, nested]];
  });
  return Object.fromEntries(kept);
}

/** Whether a client can sort by a path, e.g. `teacher.name:asc`. */
function isOpenPath(path: string, model: Model, sanitizing: Sanitizing): boolean {
  const [names = ''] = path.split(':');
  let at: Model | undefined = model;
  for (const name of names.split('.')) {
    if (at === undefined || !isOpen(name, at, sanitizing)) return false;
    at = modelBehind(name, at, sanitizing);
  }
  return true;
}

function cleanSort(sort: unknown, model: Model, sanitizing: Sanitizing): unknown {
  if (typeof sort === 'string') {
    const open = (part: string): boolean => isOpenPath(part.trim(), model, sanitizing);
    return sort.split(',').filter(open).join(',');
  }
  if (Array.isArray(sort)) {
    return sort.map((key) => cleanSort(key, model, sanitizing)).filter((cleaned) => cleaned !== '');
  }
  if (!isRecord(sort)) return sort;
  const kept = Object.entries(sort).flatMap(([name, value]): [string, unknown][] => {
    if (!isOpenPath(name, model, sanitizing)) return [];
    const behind = modelBehind(name, model, sanitizing);
    return [[name, behind === undefined ? value : cleanSort(value, behind, sanitizing)]];
  });
  return Object.fromEntries(kept);
}

/** @param nested whether private attributes are removed here, although the response is sanitized anyway */
function cleanFields(fields: unknown, model: Model, nested: boolean): unknown {
  const isVisible = (name: unknown): boolean => {
    if (name === '*' || name === 'id') return true;
    const attribute = model.attributes[String(name)];
    return attribute !== undefined && attribute['type'] !== 'password' && !(nested && attribute['private'] === true);
  };
  if (Array.isArray(fields)) return fields.filter(isVisible);
  return typeof fields === 'string'
    ? fields
        .split(',')
        .filter((name) => isVisible(name.trim()))
        .join(',')
    : fields;
}

const isPopulated = (path: unknown, model: Model, sanitizing: Sanitizing): boolean => {
  const [name = ''] = String(path).split('.');
  return path === '*' || model.attributes[name] === undefined || isOpen(name, model, sanitizing);
};

function cleanPopulate(populate: unknown, model: Model, sanitizing: Sanitizing): unknown {
  if (typeof populate === 'string') {
    return populate
      .split(',')
      .filter((name) => isPopulated(name.trim(), model, sanitizing))
      .join(',');
  }
  if (Array.isArray(populate)) return populate.filter((name) => isPopulated(name, model, sanitizing));
  if (!isRecord(populate)) return populate;
  const kept = Object.entries(populate).flatMap(([name, value]): [string, unknown][] => {
    if (!isPopulated(name, model, sanitizing)) return [];
    const behind = modelBehind(name, model, sanitizing);
    if (behind !== undefined && isRecord(value)) return [[name, cleanQuery(value, behind, sanitizing, true)]];
    if (!isRecord(value) || !isRecord(value['on'])) return [[name, value]];
    const on = Object.entries(value['on']).map(([uid, inner]: [string, unknown]) => {
      const part = sanitizing.getModel(uid);
      return [uid, part !== undefined && isRecord(inner) ? cleanQuery(inner, part, sanitizing, true) : inner];
    });
    return [[name, { ...value, on: Object.fromEntries(on) as unknown }]];
  });
  return Object.fromEntries(kept);
}

/** A query without parameters that a client may not use. */
export function cleanQuery(query: Named, model: Model, sanitizing: Sanitizing, nested = false): Named {
  const { filters, sort, fields, populate, ...others } = query;
  return {
    ...others,
    ...(filters !== undefined && { filters: cleanFilters(filters, model, sanitizing) }),
    ...(sort !== undefined && { sort: cleanSort(sort, model, sanitizing) }),
    ...(fields !== undefined && { fields: cleanFields(fields, model, nested) }),
    ...(populate !== undefined && { populate: cleanPopulate(populate, model, sanitizing) }),
  };
}
