import { isRecord } from '../../config/record.js';
import type { DeclaredAttribute, Linkage } from './linkage.js';
import { attributeTypes, isScalarType } from '../model/attribute-types.js';
import { suggestion, wrongName } from '../../errors/nearest-name.js';
import { mustBe } from '../load/read-options.js';
import type { Schema } from '../model/settings-schema.js';
import type { ScalarAttribute, ScalarType } from '../model/types.js';

type Part<K extends keyof ScalarAttribute> = Partial<Pick<ScalarAttribute, K>>;

/** Links an attribute with a plain value. As in Strapi v4, options that its type does not support are ignored. */
export function linkScalar(type: ScalarType, declared: DeclaredAttribute, { dialect }: Linkage): ScalarAttribute {
  const { base, options } = declared;
  const rule = attributeTypes[type];
  const limits = {
    ...(rule.limits && limitsOf(rule.limits, declared)),
    ...(rule.lengths && linkLengths(declared)),
  };
  return {
    ...base,
    kind: 'scalar',
    type,
    dialect,
    unique: rule.unique === 'always' || (rule.unique === 'declared' && options.unique === true),
    searchable: rule.searched === true && !base.private && options.searchable !== false,
    ...limits,
    ...(type === 'enumeration' && linkEnum(declared)),
    ...(type === 'uid' && linkTargetField(declared)),
    ...linkDefault(type, declared, limits),
    ...linkAbsence(base),
  };
}

/** Attributes of the service that Strapi v4 does not have: `pluginOptions: { 'content-api': { omitNull: true } }`. */
function linkAbsence({ pluginOptions }: DeclaredAttribute['base']): Part<'omitsNull'> {
  const options = pluginOptions['content-api'];
  return isRecord(options) && options['omitNull'] === true ? { omitsNull: true } : {};
}

/** The options `min` and `max`. @param shape the rule for each */
export function limitsOf<T extends number | string>(
  shape: Schema<T>,
  { options, report, warn }: DeclaredAttribute,
): { readonly min?: T; readonly max?: T } {
  const limits: { min?: T; max?: T } = {};
  for (const name of ['min', 'max'] as const) {
    const limit = options[name];
    if (limit === undefined) continue;
    if (shape.test(limit)) limits[name] = limit;
    else report(name, mustBe(limit, shape));
  }
  const { min, max } = limits;
  if (min !== undefined && max !== undefined && isMore(min, max)) warn('min', `${min} is more than max ${max}`);
  return limits;
}

/** Also compares integers beyond 2^53, which are strings. */
const isMore = (value: number | string, other: number | string): boolean =>
  typeof value === 'number' && typeof other === 'number' ? value > other : BigInt(value) > BigInt(other);

function linkLengths({ options, report, warn }: DeclaredAttribute): Part<'minLength' | 'maxLength' | 'regex'> {
  const { minLength, maxLength, regex } = options;
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) {
    warn('minLength', `${minLength} is more than maxLength ${maxLength}`);
  }
  const lengths = { ...(minLength !== undefined && { minLength }), ...(maxLength !== undefined && { maxLength }) };
  try {
    return { ...lengths, ...(regex !== undefined && { regex: new RegExp(regex) }) };
  } catch (error) {
    report('regex', `"${regex}" is not a regular expression: ${String(error).split(': ').at(-1)}`);
    return lengths;
  }
}

function linkEnum({ options, report, warn }: DeclaredAttribute): Part<'enum' | 'enumName'> {
  const values = options.enum ?? [];
  if (values.length === 0) report('enum', 'must be a list of at least one string');
  if (values.includes('')) report('enum', 'has an empty string');
  const twice = new Set(values.filter((value, index) => value !== '' && values.indexOf(value) < index));
  for (const value of twice) warn('enum', `contains "${value}" twice`);
  return { enum: [...new Set(values)], ...(options.enumName && { enumName: options.enumName }) };
}

function linkTargetField({
  owner,
  options: { targetField, generate = false },
  report,
}: DeclaredAttribute): Part<'targetField' | 'generatedFrom'> {
  if (generate && targetField === undefined) report('generate', 'needs a targetField');
  if (generate && owner.schema.kind === 'component') report('generate', 'has no effect in components');
  if (targetField === undefined) return {};
  const type = owner.attributes.get(targetField)?.type;
  const named = [...owner.attributes].flatMap(([name, { type }]) => (isNamed(type) ? [name] : []));
  if (type === undefined) report('targetField', wrongName(targetField, 'attribute', named));
  else if (!isNamed(type)) report('targetField', `"${targetField}" is of type ${type}; it must be a string`);
  return { targetField, ...(generate && { generatedFrom: targetField }) };
}

const isNamed = (type: string): boolean =>
  type === 'customField' || (isScalarType(type) && attributeTypes[type].named === true);

type Limits = Part<'min' | 'max' | 'minLength' | 'maxLength' | 'regex'>;

/**
 * A default that the type refuses is only a contradiction: Strapi v4 validates it with each write that lacks a value.
 */
function linkDefault(
  type: ScalarType,
  { options, warn, default: value }: DeclaredAttribute,
  limits: Limits,
): Part<'default' | 'refusedDefault'> {
  const { default: shape, cast } = attributeTypes[type];
  if (value === undefined || value === null) return {};
  if (shape !== undefined && !shape.test(value)) {
    warn('default', mustBe(value, shape));
    const stored = cast(value);
    return { refusedDefault: value, ...(shape.test(stored) && { default: stored }) };
  }
  if (type === 'enumeration' && typeof value === 'string' && options.enum?.includes(value) === false) {
    warn('default', `"${value}" is not in enum${suggestion(value, [...new Set(options.enum)])}`);
    return { refusedDefault: value, default: value };
  }
  const contradiction = contradictionOf(value, limits);
  if (contradiction === undefined) return { default: value };
  warn('default', contradiction);
  return { refusedDefault: value, default: value };
}

/** Why limits refuse a default of the right type. */
function contradictionOf(value: unknown, { min, max, minLength, maxLength, regex }: Limits): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  if (min !== undefined && isMore(min, value)) return `${value} is less than min ${min}`;
  if (max !== undefined && isMore(value, max)) return `${value} is more than max ${max}`;
  const text = String(value);
  if (minLength !== undefined && text.length < minLength) return `"${text}" is shorter than minLength ${minLength}`;
  if (maxLength !== undefined && text.length > maxLength) return `"${text}" is longer than maxLength ${maxLength}`;
  return regex?.test(text) === false ? `"${text}" does not match regex` : undefined;
}
