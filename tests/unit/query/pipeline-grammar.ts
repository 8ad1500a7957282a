import type { Document } from 'mongodb';
import type { Registry } from '../../../src/content-types/model/types.js';

/** The names that a compiled pipeline can contain, besides operators. */
interface Names {
  readonly collections: ReadonlySet<string>;
  /** Attributes of content types and components. */
  readonly attributes: ReadonlySet<string>;
  readonly uids: ReadonlySet<string>;
}

export function namesOf({ contentTypes, components }: Registry): Names {
  const schemas = [...contentTypes.values(), ...components.values()];
  return {
    collections: new Set([...contentTypes.values()].map(({ collectionName }) => collectionName)),
    attributes: new Set(schemas.flatMap(({ attributes }) => [...attributes.keys()])),
    uids: new Set([...contentTypes.keys(), ...components.keys()]),
  };
}

/**
 * Throws at the first thing that the compiler never writes: an operator out of these tables, or a path of other names.
 */
export function checkPipeline(pipeline: readonly Document[], names: Names): void {
  const path = (text: unknown): void => {
    const isAllowed =
      typeof text === 'string' && text.split('.').every((name) => names.attributes.has(name) || OURS.test(name));
    if (!isAllowed) refuse('path', text);
  };
  const paths = (document: unknown, value: (value: unknown) => void): void => {
    for (const [key, one] of entries(document)) {
      path(key);
      value(one);
    }
  };

  const parts = (value: unknown): void =>
    list(value).forEach((one) => (isPlainObject(one) ? paths(one, expression) : expression(one)));

  /** The grammar of each stage. */
  const stages: Readonly<Record<string, (value: unknown) => void>> = {
    $match: condition,
    $sort: (value) => paths(value, only(1, -1)),
    $skip: count,
    $limit: count,
    $project: (value) =>
      paths(value, (one) => (typeof one === 'object' || typeof one === 'string' ? expression(one) : only(0, 1)(one))),
    $set: (value) => paths(value, expression),
    $unset: (value) => list(value).forEach(path),
    $unwind: (value) => {
      if (typeof value === 'string') return expression(value);
      options(value, { path: expression, includeArrayIndex: path, preserveNullAndEmptyArrays: only(true) });
    },
    $group: (value) => paths(value, expression),
    $lookup: (value) =>
      options(value, {
        from: (collection) => names.collections.has(String(collection)) || refuse('collection', collection),
        localField: path,
        foreignField: path,
        let: (variables) => entries(variables).forEach(([, one]) => expression(one)),
        pipeline: (inner) => list(inner).forEach(stage),
        as: path,
      }),
    $replaceRoot: (value) => options(value, { newRoot: (merged) => options(merged, { $mergeObjects: parts }) }),
  };
  function stage(document: unknown): void {
    for (const [name, value] of single(document)) table(stages, 'stage', name)(value);
  }

  /** The operands of comparisons: the only place for values of a client, as plain values. */
  const comparisons: Readonly<Record<string, (value: unknown) => void>> = {
    $eq: plain,
    $ne: plain,
    $gt: plain,
    $gte: plain,
    $lt: plain,
    $lte: plain,
    $in: plainList,
    $nin: plainList,
    $regex: pattern,
    $options: only('i'),
    $exists: only(true, false),
    $not: comparison,
    /** Of a component its attributes; of an id the id itself. */
    $elemMatch: (value) => {
      const isComparison = entries(value).some(([name]) => Object.hasOwn(comparisons, name));
      (isComparison ? comparison : condition)(value);
    },
  };
  function comparison(document: unknown): void {
    for (const [name, value] of entries(document)) table(comparisons, 'comparison', name)(value);
  }
  function condition(document: unknown): void {
    for (const [name, value] of entries(document)) {
      if (name === '$and' || name === '$or' || name === '$nor') list(value).forEach(condition);
      else if (name === '$expr') expression(value);
      else {
        path(name);
        if (typeof value === 'object' && value !== null) comparison(value);
        else only(1, 'api::product.product')(value);
      }
    }
  }

  /** The grammar of expressions: paths, uids and numbers, with these operators. */
  function expression(value: unknown): void {
    if (typeof value === 'string') return textInExpression(value);
    if (typeof value !== 'object' || value === null) return only(0, 1, 1e15, null, true, false)(value);
    if (Array.isArray(value)) return value.forEach(expression);
    if (Object.hasOwn(value, '__type')) return options(value, { __type: expression, id: expression });
    for (const [name, operand] of single(value)) {
      if (!EXPRESSIONS.has(name)) refuse('expression', name);
      if (name === '$literal') plainOrList(operand);
      else if ((name === '$addToSet' || name === '$push') && isPlainObject(operand)) {
        options(operand, { ids: expression });
      } else if (name === '$setField') options(operand, { field: path, input: expression, value: expression });
      else if (name === '$switch') options(operand, { branches: branchList, default: expression });
      else if (name === '$regexMatch') {
        options(operand, { input: expression, regex: pattern, options: only('i') });
      } else if (OPTIONS.has(name)) entries(operand).forEach(([key, one]) => key !== 'as' && expression(one));
      else expression(operand);
    }
  }
  const branchList = (value: unknown): void =>
    list(value).forEach((branch) => options(branch, { case: expression, then: expression }));
  function textInExpression(text: string): void {
    if (names.uids.has(text) || WORDS.has(text)) return;
    if (!text.startsWith('$')) refuse('text', text);
    const [variable = '', ...rest] = text.slice(1).split('.');
    if (variable.startsWith('$') ? !VARIABLES.test(variable) : !isPath(variable)) refuse('variable', text);
    if (rest.length > 0) path(rest.join('.'));
  }
  const isPath = (name: string): boolean => names.attributes.has(name) || OURS.test(name);

  pipeline.forEach(stage);
}

/** Names of ours: those with an underscore, the lists of a page, and the ids and keys that a plan needs. */
const OURS = /^(?:_[a-z0-9_]*|__component|__type|r\d+|l\d+|page|entry|id|key|holds|ids\d*|keys\d*)$/;
const VARIABLES = /^\$(?:ROOT|REMOVE|this|value|component|link|parent|ids\d*|keys\d*)$/;
const EXPRESSIONS = new Set([
  '$push', '$cond', '$isArray', '$arrayElemAt', '$reduce', '$concatArrays', '$filter', '$map', '$ifNull', '$eq',
  '$in', '$min', '$max', '$regexMatch', '$toString', '$literal', '$and', '$or', '$not', '$ne', '$lt', '$lte', '$gt', '$gte',
  '$type', '$setField', '$switch', '$toLong', '$toInt', '$trunc', '$abs', '$concat', '$anyElementTrue', '$setIntersection',
  '$indexOfArray', '$addToSet',
]); // prettier-ignore
const OPTIONS = new Set(['$reduce', '$filter', '$map']);
/** Texts that expressions compare with. */
const WORDS = new Set(['missing', '.0', 'none']);

const only =
  (...allowed: readonly unknown[]): ((value: unknown) => void) =>
  (value) => {
    if (!allowed.includes(value)) refuse('value', value);
  };

/** A text that is neither cut short by the database nor taken for a path. */
function pattern(value: unknown): void {
  if (typeof value !== 'string' || value.includes('\0') || value.startsWith('$')) refuse('pattern', value);
}

function count(value: unknown): void {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) refuse('number', value);
}

function refuse(what: string, value: unknown): never {
  throw new Error(`A pipeline has no such ${what}: ${JSON.stringify(value)}`);
}

const entries = (value: unknown): readonly (readonly [string, unknown])[] =>
  isPlainObject(value) ? Object.entries(value) : refuse('object', value);

const isPlainObject = (value: unknown): value is object => Object.prototype.toString.call(value) === '[object Object]';

const single = (value: unknown): readonly (readonly [string, unknown])[] => {
  const found = entries(value);
  return found.length === 1 ? found : refuse('stage', value);
};

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : refuse('list', value));

function options(value: unknown, allowed: Readonly<Record<string, (value: unknown) => void>>): void {
  for (const [name, one] of entries(value)) table(allowed, 'option', name)(one);
}

const table = <T>(rules: Readonly<Record<string, T>>, what: string, name: string): T =>
  (Object.hasOwn(rules, name) ? rules[name] : undefined) ?? refuse(what, name);

const PLAIN = new Set(['string', 'number', 'bigint', 'boolean']);

function plain(value: unknown): void {
  if (value !== null && !PLAIN.has(typeof value) && !(value instanceof Date)) refuse('operand', value);
}

/** The value of a `$literal`. */
function plainOrList(value: unknown): void {
  if (isPlainObject(value)) plainList(value);
  else if (Array.isArray(value)) value.forEach(plain);
  else plain(value);
}

function plainList(value: unknown): void {
  if (Array.isArray(value)) return value.forEach(plain);
  const [[name, index] = ['', '']] = single(value);
  if (name !== '$ids' || !Number.isInteger(index)) refuse('list', value);
}
