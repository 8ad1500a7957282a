import { attributeTypes, type ValueKind } from '../../content-types/model/attribute-types.js';
import type { Component, ContentType, ScalarAttribute } from '../../content-types/model/types.js';
import { isOwnType } from '../../documents/listings.js';
import type { GroupsForm, RootRow } from '../../plugins/contract/graphql/form.js';
import { enumName, groupTypeName, namesOf } from '../../plugins/contract/graphql/names.js';
import { isList } from '../../query/ast.js';
import { dateParts, isMeasured, measureFunctions, measures, type MeasureFunction } from '../../query/measures.js';
import { attributesFor, isPopulated, isReadable } from '../../query/visibility.js';
import { scalarFilterName } from './base-types.js';
import { inputType, objectType } from './definition.js';
import type { Shadow } from './rules.js';
import { scalarName } from './scalars/scalar-names.js';

type Model = ContentType | Component;

/** What groups show of values: those that entries are grouped by, or a measure of them. */
type Part = 'key' | MeasureFunction;

/**
 * The enums that say by what of a value entries are grouped, by the kinds of values that have more than the value
 * itself.
 */
const enumsOfKinds: Readonly<Partial<Record<ValueKind | 'json', string>>> = {
  instant: 'Key_DateTime',
  day: 'Key_Date',
  time: 'Key_Time',
};
const ONLY_VALUE = 'Key_Value';

/** The values of these enums, as `groupBy` of the REST API has them behind a path. */
export const keyEnums: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [ONLY_VALUE]: { VALUE: '' },
  ...Object.fromEntries(
    Object.entries(enumsOfKinds).map(([kind, name]) => [
      name,
      {
        VALUE: '',
        ...Object.fromEntries(
          Object.entries(dateParts).flatMap(([part, { of }]) =>
            of.some((one) => one === kind) ? [[part.toUpperCase(), part]] : [],
          ),
        ),
      },
    ]),
  ),
};

/** Whether the schema has a field for groups of the entries of a type. */
export const hasGroups = (type: ContentType, shadow: Shadow): boolean =>
  type.kind === 'collectionType' && isOwnType(type) && shadow.hasGroups(type.uid);

/** The field of Query for groups of the entries of a type. */
export function groupsField(type: ContentType, shadow: Shadow, form: GroupsForm): RootRow {
  const further = [
    ...(leadsTo(type, 'key', shadow, form) ? [`groupBy: [${groupTypeName(type, 'KeyInput')}!]`] : []),
    `having: ${groupTypeName(type, 'Having')}`,
    'timeZone: String',
  ];
  return {
    name: namesOf(type).aggregate,
    operation: 'aggregate',
    action: 'find',
    signature: `${form.arguments(type, further)}: ${groupTypeName(type, 'Groups')}`,
    ...(form.shown && { shown: form.shown as (page: unknown) => unknown }),
  };
}

/** The types of all groups, in SDL. */
export function groupDefinitions(models: readonly Model[], shadow: Shadow, form: GroupsForm): readonly string[] {
  const grouped = models.filter(
    (model): model is ContentType => model.kind !== 'component' && hasGroups(model, shadow),
  );
  if (grouped.length === 0) return [];
  return [
    ...form.types,
    ...grouped.flatMap((type) => groupsOf(type, shadow, form)),
    ...models.flatMap((model) => partsOf(model, shadow, form)),
  ];
}

/** The page of groups, a group, and the conditions on groups. */
function groupsOf(type: ContentType, shadow: Shadow, form: GroupsForm): readonly string[] {
  const offered = (['key', ...measureFunctions] as const).filter((part) => leadsTo(type, part, shadow, form));
  const group = groupTypeName(type, 'Group');
  const having = groupTypeName(type, 'Having');
  const conditions = offered.flatMap((part) => (part === 'key' ? [] : [`${part}: ${inputName(type, part)}`]));
  return [
    objectType(groupTypeName(type, 'Groups'), form.page(group)),
    objectType(group, ['count: Int!', ...offered.map((part) => `${part}: ${outputName(type, part)}!`)]),
    inputType(having, [
      'count: IntFilterInput',
      ...conditions,
      `and: [${having}]`,
      `or: [${having}]`,
      `not: ${having}`,
    ]),
  ];
}

/** What groups show of the attributes of a content type or component, and what is written of these in arguments. */
const partsOf = (model: Model, shadow: Shadow, form: GroupsForm): readonly string[] =>
  (['key', ...measureFunctions] as const).flatMap((part) => {
    const steps = offeredIn(model, part, shadow, form);
    if (steps.length === 0) return [];
    const fields = (nameOf: typeof outputName, typeOf: (value: Value, part: Part) => string): readonly string[] =>
      steps.map((step) => `${step.name}: ${step.kind === 'value' ? typeOf(step, part) : nameOf(step.model, part)}`);
    return [
      objectType(outputName(model, part), fields(outputName, outputType)),
      inputType(inputName(model, part), fields(inputName, inputTypeOf)),
    ];
  });

const capitalized = (part: Part): string => part.charAt(0).toUpperCase() + part.slice(1);
const outputName = (model: Model, part: Part): string => groupTypeName(model, capitalized(part));
const inputName = (model: Model, part: Part): string =>
  groupTypeName(model, part === 'key' ? 'KeyInput' : `${capitalized(part)}Having`);

/** A value that groups have; without an attribute the id. */
interface Value {
  readonly kind: 'value';
  readonly name: string;
  readonly owner: Model;
  readonly attribute: ScalarAttribute | undefined;
}

/** A component or a relation, through which a path goes. */
interface Step {
  readonly kind: 'step';
  readonly name: string;
  readonly model: Model;
}

/** What of a model groups can have: readable values, and steps that lead to some. */
const offeredIn = (model: Model, part: Part, shadow: Shadow, form: GroupsForm): readonly (Value | Step)[] =>
  candidatesIn(model, part, shadow, form).filter(
    (one) => one.kind === 'value' || leadsTo(one.model, part, shadow, form),
  );

const leadsTo = (model: Model, part: Part, shadow: Shadow, form: GroupsForm, seen = new Set<Model>()): boolean => {
  if (seen.has(model)) return false;
  seen.add(model);
  return candidatesIn(model, part, shadow, form).some(
    (one) => one.kind === 'value' || leadsTo(one.model, part, shadow, form, seen),
  );
};

function candidatesIn(model: Model, part: Part, shadow: Shadow, { audience }: GroupsForm): readonly (Value | Step)[] {
  const isShown = (name: string): boolean =>
    (['output', 'filters', 'groups'] as const).every((as) => shadow.hasField(model.uid, name, as));
  // Documents have ids of their own.
  const hasId = isShown('id') && (audience === 'client' || model.kind === 'component');
  const id: Value = { kind: 'value', name: 'id', owner: model, attribute: undefined };
  const ofAttributes = [...attributesFor(model, audience)].flatMap(([name, attribute]): readonly (Value | Step)[] => {
    if (!isShown(name) || !isReadable(attribute, audience)) return [];
    if (attribute.kind === 'scalar') return isOffered(attribute, part) ? [{ ...id, name, attribute }] : [];
    if (attribute.kind !== 'relation' && attribute.kind !== 'component') return [];
    // Several values of an entry are not counted apart from those of others.
    if (part === 'countDistinct' && isList(attribute)) return [];
    const behind = attribute.kind === 'relation' ? attribute.target : attribute.component;
    return isPopulated(attribute, audience) && shadow.hasType(behind.uid)
      ? [{ kind: 'step', name, model: behind }]
      : [];
  });
  return hasId ? [id, ...ofAttributes] : ofAttributes;
}

const isOffered = ({ type }: ScalarAttribute, part: Part): boolean => part === 'key' || isMeasured(type, part);

/** Keys of dates and times are texts, because they can be parts of these. */
function outputType({ owner, attribute }: Value, part: Part): string {
  if (part !== 'key') return resultType(owner, attribute, part);
  if (attribute === undefined) return 'ID';
  if (enumsOfKinds[attributeTypes[attribute.type].kind] !== undefined) return 'String';
  return attribute.type === 'enumeration' ? enumName(owner, attribute) : scalarName(attribute);
}

function resultType(owner: Model, attribute: ScalarAttribute | undefined, measure: MeasureFunction): string {
  const result = measures[measure].result(attribute?.type ?? 'integer');
  return attribute !== undefined && result === 'enumeration'
    ? enumName(owner, attribute)
    : attributeTypes[result].graphql;
}

function inputTypeOf({ attribute }: Value, part: Part): string {
  if (part === 'key') return (attribute && enumsOfKinds[attributeTypes[attribute.type].kind]) ?? ONLY_VALUE;
  const result = measures[part].result(attribute?.type ?? 'integer');
  return scalarFilterName(attributeTypes[result].graphql);
}
