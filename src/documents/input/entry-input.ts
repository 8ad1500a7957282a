import type { Data } from '../../config/record.js';
import type {
  Component,
  MorphAttribute,
  MorphedAttribute,
  RelationAttribute,
  ScalarAttribute,
} from '../../content-types/model/types.js';
import { isComponentList, type EmbeddingAttribute } from '../../content-types/model/walk.js';
import type { LinkChange, MorphLink } from '../../query/mutation.js';

/** Parsed written data of an entry or component, by attribute, without values that change nothing. */
export type EntryInput = ReadonlyMap<string, AttributeInput>;

/** The written value of one attribute. `written` is the client's form of a relation. */
export type AttributeInput =
  /** A value after Strapi's casts; null clears. */
  | { readonly kind: 'scalar'; readonly attribute: ScalarAttribute; readonly value: unknown }
  | {
      readonly kind: 'relation';
      readonly attribute: RelationAttribute;
      readonly change: LinkChange;
      readonly written: unknown;
      /** Media that are added to those of the entry. */
      readonly appends?: true;
    }
  /** The inverse side of a morph relation. */
  | {
      readonly kind: 'morphed';
      readonly attribute: MorphedAttribute;
      readonly change: LinkChange;
      readonly written: unknown;
    }
  /** A morph relation: all its new links. */
  | {
      readonly kind: 'morph';
      readonly attribute: MorphAttribute;
      readonly links: readonly MorphLink[];
      readonly written: unknown;
    }
  /** All components of a list or zone, or the single one of an attribute that is not repeatable; an empty list clears. */
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

/** Converts the entry back to data; parsing that data results in the same entry. */
export const dataOf = (entry: EntryInput): Data =>
  Object.fromEntries([...entry].map(([name, input]) => [name, writtenValue(input)]));

function writtenValue(input: AttributeInput): unknown {
  switch (input.kind) {
    case 'scalar':
      return input.value;
    case 'relation':
    case 'morphed':
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
export function countNewComponents(
  entry: EntryInput,
  counts: Map<string, number> = new Map(),
): ReadonlyMap<string, number> {
  for (const input of entry.values()) {
    if (input.kind !== 'components') continue;
    for (const { component, isNew, values } of input.components) {
      if (isNew) counts.set(component.uid, (counts.get(component.uid) ?? 0) + 1);
      countNewComponents(values, counts);
    }
  }
  return counts;
}

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
  const components = [...merged.values()].map((component) =>
    component.isNew ? component : { ...component, values: mergeComponents(component.values) },
  );
  return { ...input, components };
}
