import { isRecord, type Data } from '../../config/record.js';
import type { Attribute, Attributes, Component, ComponentAttribute, ContentType, ZoneAttribute } from './types.js';

/** An attribute whose values are components. */
export type EmbeddingAttribute = ComponentAttribute | ZoneAttribute;

export const holdsComponents = (attribute: Attribute | undefined): attribute is EmbeddingAttribute =>
  attribute?.kind === 'component' || attribute?.kind === 'zone';

export const isComponentList = (attribute: EmbeddingAttribute): boolean =>
  attribute.kind === 'zone' || attribute.repeatable;

/** The components that an attribute allows; none for an attribute of another kind. */
export function allowedComponents(attribute: Attribute): readonly Component[] {
  if (attribute.kind === 'component') return [attribute.component];
  return attribute.kind === 'zone' ? [...attribute.components.values()] : [];
}

export type Model = ContentType | Component;

/**
 * The models that an attribute leads to: a related content type, or components. A morph relation leads to none in
 * particular.
 */
export const modelsBehind = (attribute: Attribute): readonly Model[] =>
  attribute.kind === 'relation' || attribute.kind === 'morphed' ? [attribute.target] : allowedComponents(attribute);

/** The attributes that can follow this one in a path; undefined if the path ends here, or its target is not unique. */
export const attributesBehind = (attribute: Attribute | undefined): Attributes | undefined =>
  attribute === undefined || attribute.kind === 'zone' ? undefined : modelsBehind(attribute)[0]?.attributes;

/** These models, then all that their attributes lead to, at any depth. */
export function reachableModels(
  from: readonly Model[],
  behind: (attribute: Attribute, model: Model) => readonly Model[],
): readonly Model[] {
  const models = new Set(from);
  // Iterating a set includes what is added during the iteration.
  for (const model of models) {
    for (const attribute of model.attributes.values()) for (const next of behind(attribute, model)) models.add(next);
  }
  return [...models];
}

/**
 * The component type of a value: that of the attribute or, in a dynamic zone, the one that the value names.
 * Undefined where the zone does not allow it.
 */
export const componentOf = (attribute: EmbeddingAttribute, value: Data): Component | undefined =>
  attribute.kind === 'component'
    ? attribute.component
    : // Anything but a string is the name of none.
      attribute.components.get(value['__component'] as string);

/**
 * The component values of an attribute, in a list or alone, each with its component; none for an attribute of another
 * kind.
 */
export function componentsIn(
  value: unknown,
  attribute: Attribute | undefined,
): readonly { readonly data: Data; readonly component: Component | undefined }[] {
  if (!holdsComponents(attribute)) return [];
  return [value].flat().flatMap((element) => {
    return isRecord(element) ? [{ data: element, component: componentOf(attribute, element) }] : [];
  });
}

/** The components of an entry or a component, at any depth; those that a zone does not allow are left out. */
export function* componentsBelow(
  data: Data,
  attributes: Attributes,
): Generator<{ readonly data: Data; readonly component: Component }> {
  for (const attribute of attributes.values()) {
    for (const { data: part, component } of componentsIn(data[attribute.name], attribute)) {
      if (component === undefined) continue;
      yield { data: part, component };
      yield* componentsBelow(part, component.attributes);
    }
  }
}

/**
 * The value of an attribute with each of its components changed, in a list or alone. The rest of the value does not
 * change.
 * @param change `index` is the position in a list
 */
export function mapComponents(
  value: unknown,
  attribute: EmbeddingAttribute,
  change: (data: Data, component: Component, index?: number) => unknown,
): unknown {
  const changeOne = (element: unknown, index?: number): unknown => {
    if (!isRecord(element)) return element;
    const component = componentOf(attribute, element);
    return component === undefined ? element : change(element, component, index);
  };
  return Array.isArray(value) ? value.map(changeOne) : changeOne(value);
}
