import type { Data } from '../../config/record.js';
import { isLocalizations } from '../../content-types/model/localized.js';
import type {
  Attributes,
  Component,
  ContentType,
  MorphAttribute,
  ScalarAttribute,
} from '../../content-types/model/types.js';
import { isComponentList, type EmbeddingAttribute } from '../../content-types/model/walk.js';
import type { Targets } from '../../mongo/read/missing-targets.js';
import type { AnyRelation } from '../../query/ast.js';
import type { LinkChange, MorphLink } from '../../query/mutation.js';

/** Parsed written data of an entry or component, by attribute, without values that change nothing. */
export type EntryInput = ReadonlyMap<string, AttributeInput>;

/** The written value of one attribute. `written` is the client's form of a relation. */
export type AttributeInput =
  /** A value after Strapi's casts; null clears. */
  | { readonly kind: 'scalar'; readonly attribute: ScalarAttribute; readonly value: unknown }
  | {
      readonly kind: 'relation';
      readonly attribute: AnyRelation;
      readonly change: LinkChange;
      readonly written: unknown;
      /** Media that are added to those of the entry. */
      readonly appends?: true;
    }
  /** A morph relation: all its new links. */
  | {
      readonly kind: 'morph';
      readonly attribute: MorphAttribute;
      readonly links: readonly MorphLink[];
      readonly written: unknown;
    }
  /**
   * All components of a list or zone, or the single one of an attribute that is not repeatable; an empty list clears.
   */
  | {
      readonly kind: 'components';
      readonly attribute: EmbeddingAttribute;
      readonly components: readonly ComponentInput[];
      /** The entry keeps its other components, and their order. */
      readonly isPartial?: true;
    };

export interface ComponentInput {
  readonly component: Component;
  /** The id in the data; NaN is an id that no component has. */
  readonly id: number | undefined;
  /** Whether it needs an id: the data has none, or it is part of a new entry or component. */
  readonly isNew: boolean;
  /** The position in the written list. */
  readonly index: number;
  readonly values: EntryInput;
}

/** The path of a component in the written data, for messages. */
export const pathOfComponent = (
  path: readonly string[],
  attribute: EmbeddingAttribute,
  { index }: ComponentInput,
): readonly string[] => (isComponentList(attribute) ? [...path, String(index)] : path);

/** Visits the attributes of the entry and of its components, at all levels. */
export function forEachAttribute(entry: EntryInput, visit: (input: AttributeInput) => void): void {
  for (const input of entry.values()) {
    visit(input);
    if (input.kind === 'components') for (const { values } of input.components) forEachAttribute(values, visit);
  }
}

/** Adds ids of entries of one type. */
export function addTargets(
  targets: Map<ContentType, Set<number>>,
  type: ContentType,
  links: readonly { readonly id: number }[],
): void {
  const ids = targets.get(type) ?? new Set();
  for (const { id } of links) ids.add(id);
  targets.set(type, ids);
}

/** The targets of relations and media, at all levels. */
export function relationTargets(entry: EntryInput): Targets {
  const targets = new Map<ContentType, Set<number>>();
  forEachAttribute(entry, (input) => {
    if (input.kind !== 'relation') return;
    // The other localizations were read a moment ago; those that another request has deleted do not refuse a new one.
    if (isLocalizations(input.attribute, input.attribute.target)) return;
    addTargets(targets, input.attribute.target, input.change.connect);
  });
  return targets;
}

/** The targets of morph relations, at all levels, without those of unknown types. */
export function morphTargets(entry: EntryInput): Targets {
  const targets = new Map<ContentType, Set<number>>();
  forEachAttribute(entry, (input) => {
    if (input.kind !== 'morph') return;
    for (const link of input.links) {
      const target = input.attribute.candidates.get(link.__type);
      if (target !== undefined) addTargets(targets, target, [link]);
    }
  });
  return targets;
}

/** Converts the entry back to data; parsing that data results in the same entry. */
export const dataOf = (entry: EntryInput): Data =>
  Object.fromEntries([...entry].map(([name, input]) => [name, writtenValue(input)]));

function writtenValue(input: AttributeInput): unknown {
  switch (input.kind) {
    case 'scalar':
      return input.value;
    case 'relation':
    case 'morph':
      return input.written;
    case 'components': {
      const { attribute } = input;
      const components = input.components.map(({ id, component, values }) => ({
        ...(id !== undefined && { id }),
        ...(attribute.kind === 'zone' && { __component: component.uid }),
        ...dataOf(values),
      }));
      return isComponentList(attribute) ? components : (components[0] ?? null);
    }
    default:
      return input satisfies never;
  }
}

/** The number of new components per component type, at all levels: each needs an id. */
export function countNewComponents(entry: EntryInput): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  forEachAttribute(entry, (input) => {
    for (const { component, isNew } of input.kind === 'components' ? input.components : [])
      if (isNew) counts.set(component.uid, (counts.get(component.uid) ?? 0) + 1);
  });
  return counts;
}

/**
 * The entry with the defaults of what is absent from it, if it is new, and from its new components; in the order of the
 * definition.
 */
export function withDefaults(entry: EntryInput, attributes: Attributes, isNew: boolean): EntryInput {
  const inputs = [...attributes].flatMap(([name, attribute]) => {
    const hasDefault = isNew && attribute.kind === 'scalar' && attribute.default !== undefined;
    const absent = hasDefault ? ({ kind: 'scalar', attribute, value: attribute.default } as const) : undefined;
    const input = entry.get(name) ?? absent;
    const inComponent = ({ component, isNew: isAdded, values }: ComponentInput): EntryInput =>
      withDefaults(values, component.attributes, isAdded);
    return input === undefined ? [] : [[name, withInner(input, inComponent)] as const];
  });
  return new Map(inputs);
}

/** An input with other values in its components. */
export const withInner = (input: AttributeInput, change: (component: ComponentInput) => EntryInput): AttributeInput =>
  input.kind === 'components'
    ? { ...input, components: input.components.map((component) => ({ ...component, values: change(component) })) }
    : input;

/**
 * The update of an existing entry in which components of one list with the same id are merged: at the position of the
 * first, with the values of the later ones over its own, as in Strapi v4.
 */
export const mergeComponents = (entry: EntryInput): EntryInput =>
  new Map([...entry].map(([name, input]) => [name, mergeIn(input)]));

function mergeIn(input: AttributeInput): AttributeInput {
  if (input.kind !== 'components') return input;
  const merged = new Map<unknown, ComponentInput>();
  for (const component of input.components) {
    // New components and their nested components are not merged.
    const key = component.isNew ? component : `${component.component.uid} ${component.id}`;
    const former = merged.get(key);
    merged.set(key, former ? { ...former, values: new Map([...former.values, ...component.values]) } : component);
  }
  const components = [...merged.values()];
  return withInner({ ...input, components }, ({ isNew, values }) => (isNew ? values : mergeComponents(values)));
}
