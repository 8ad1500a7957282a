import { isRecord } from '../../config/record.js';
import { EDITOR_PATH, readEditorOptions } from '../load/read-editor.js';
import { readOptions, refuseOthers } from '../load/read-options.js';
import type { Outline } from '../load/outline.js';
import type { Report } from '../load/report.js';
import { attributeTypes, isScalarType } from '../model/attribute-types.js';
import type { AttributeDefinition } from '../model/definition.js';
import type { AttributeEditorOptions, ComparedValue, Condition } from '../model/editor-options.js';
import { wrongName } from '../../errors/nearest-name.js';
import * as shapes from '../model/settings-schema.js';
import type { Schema } from '../model/settings-schema.js';

const attributeTable = {
  panel: shapes.oneOf('main', 'side'),
  section: shapes.textByLanguage,
  label: shapes.textByLanguage,
  description: shapes.textByLanguage,
  placeholder: shapes.textByLanguage,
  message: shapes.textByLanguage,
  width: shapes.oneOf('third', 'half', 'full'),
  condition: shapes.record,
} as const satisfies Readonly<Record<keyof AttributeEditorOptions, Schema<unknown>>>;

/** The tests of a condition, and the values that each compares with. */
const tests = {
  equals: { shape: shapes.comparedValue, comparedWith: (value) => [value as ComparedValue] },
  not: { shape: shapes.comparedValue, comparedWith: (value) => [value as ComparedValue] },
  in: { shape: shapes.comparedValues, comparedWith: (value) => value as readonly ComparedValue[] },
  isSet: { shape: shapes.boolean, comparedWith: () => [] },
} as const satisfies Readonly<
  Record<
    Exclude<keyof Condition, 'attribute'>,
    { readonly shape: Schema<unknown>; readonly comparedWith: (value: unknown) => readonly ComparedValue[] }
  >
>;
const testNames = Object.keys(tests) as readonly (keyof typeof tests)[];
const conditionTable = {
  attribute: shapes.string,
  equals: tests.equals.shape,
  not: tests.not.shape,
  in: tests.in.shape,
  isSet: tests.isSet.shape,
};

/**
 * How the editor shows an attribute: `pluginOptions: { editor: { label: 'Weight in grams', panel: 'side' } }`. In a
 * Strapi project mistakes are warnings: a plugin there could have the same name.
 */
export function linkEditor(
  name: string,
  definition: AttributeDefinition,
  owner: Outline,
  report: Report,
): { readonly editor?: AttributeEditorOptions } {
  const pluginOptions = isRecord(definition['pluginOptions']) ? definition['pluginOptions'] : {};
  const read = readEditorOptions(pluginOptions, attributeTable, report);
  if (read === undefined) return {};
  const { condition, ...editor } = read;
  const { type } = definition;
  if (editor.placeholder !== undefined && !hasPlaceholder(type))
    report(`${EDITOR_PATH}.placeholder`, `has no place in the field of an attribute of type ${type}`);
  if (editor.message !== undefined && typeof definition['regex'] !== 'string')
    report(`${EDITOR_PATH}.message`, 'needs a regex: it says which values that accepts');
  const linked = condition === undefined ? undefined : linkCondition(name, condition, owner, report);
  return { editor: { ...editor, ...(linked && { condition: linked }) } };
}

/** Its field is one for text. */
const hasPlaceholder = (type: string): boolean =>
  isScalarType(type) && (type === 'blocks' || ['text', 'number'].includes(attributeTypes[type].kind));

function linkCondition(
  name: string,
  condition: Readonly<Record<string, unknown>>,
  { attributes }: Outline,
  report: Report,
): Condition | undefined {
  const path = `${EDITOR_PATH}.condition`;
  refuseOthers(condition, Object.keys(conditionTable), `${path}.`, report);
  const { attribute, ...chosen } = readOptions(condition, conditionTable, `${path}.`, report);
  const named = testNames.filter((test) => Object.hasOwn(condition, test));
  const [test] = named;
  if (test === undefined || named.length > 1) report(path, `must have one of ${testNames.join(', ')}`);
  const target = attribute === undefined ? undefined : attributes.get(attribute);
  if (target === undefined || attribute === undefined) {
    const others = [...attributes.keys()].filter((other) => other !== name);
    report(`${path}.attribute`, wrongName(attribute, 'attribute', others));
    return undefined;
  }
  if (isCircular(name, attributes)) report(`${path}.attribute`, `"${attribute}" depends on this attribute itself`);
  const value = test === undefined ? undefined : chosen[test];
  if (test === undefined || value === undefined) return undefined;
  const rule = ruleOfCompared(target, tests[test].comparedWith(value));
  if (rule !== undefined) report(`${path}.${test}`, `${rule} of "${attribute}"`);
  return { attribute, [test]: value };
}

/** Whether the conditions that begin at an attribute lead back to it. */
function isCircular(name: string, attributes: Outline['attributes']): boolean {
  const seen = new Set<string>();
  let next = conditionOf(attributes.get(name));
  while (next !== undefined && next !== name && !seen.has(next)) {
    seen.add(next);
    next = conditionOf(attributes.get(next));
  }
  return next === name;
}

/** The name of the attribute that a condition asks for. */
function conditionOf(definition: AttributeDefinition | undefined): string | undefined {
  const options = definition?.['pluginOptions'];
  const editor = isRecord(options) ? options['editor'] : undefined;
  const condition = isRecord(editor) ? editor['condition'] : undefined;
  const attribute = isRecord(condition) ? condition['attribute'] : undefined;
  return typeof attribute === 'string' ? attribute : undefined;
}

/** The rule that values of a condition break; undefined: an attribute can have all of them. */
function ruleOfCompared(target: AttributeDefinition, values: readonly ComparedValue[]): string | undefined {
  if (values.length === 0) return undefined;
  const { type } = target;
  const kind = isScalarType(type) ? attributeTypes[type].kind : undefined;
  const expected = { text: 'string', number: 'number', boolean: 'boolean' }[kind as string];
  if (expected === undefined) return `compares with values; only isSet can ask for the type ${type}`;
  const isOther = values.some((value) => typeof value !== expected);
  if (isOther) return `must be a ${expected}, as the values are`;
  const members = target['enum'];
  const unknown = Array.isArray(members) ? values.find((value) => !members.includes(value)) : undefined;
  return unknown === undefined ? undefined : `"${String(unknown)}" is not in enum`;
}
