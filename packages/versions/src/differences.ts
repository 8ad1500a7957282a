import {
  componentOf,
  holdsComponents,
  isComponentList,
  isRecord,
  type Attribute,
  type Attributes,
  type Data,
  type EmbeddingAttribute,
} from 'content-service/plugin';
import { isSameValue, withoutIds } from './same-values.js';

/**
 * What differs between two versions of an entry, at one path. Positions in lists are those after the change, of a
 * removed component those before it.
 */
export type Difference = { readonly path: Path } & (
  | { readonly before: unknown; readonly after: unknown; readonly removed?: true }
  /** Components that both have are in another order: their former positions. */
  | { readonly order: readonly number[] }
);

type Path = readonly (string | number)[];

/**
 * The differences between values with the ids of components, in the order of the attributes. Components of lists are
 * compared with those that have the same id, or else with those at the same position, if they are of the same type.
 */
export const differencesIn = (
  before: Data,
  after: Data,
  attributes: Attributes,
  path: Path = [],
): readonly Difference[] =>
  [...attributes.values()].flatMap((attribute) => {
    const { name } = attribute;
    if (!(name in before) && !(name in after)) return [];
    return differencesOf(before[name] ?? null, after[name] ?? null, attribute, [...path, name]);
  });

function differencesOf(before: unknown, after: unknown, attribute: Attribute, path: Path): readonly Difference[] {
  if (isSameValue(before, after, attribute)) return [];
  if (!holdsComponents(attribute)) return [{ path, before, after }];
  if (isComponentList(attribute)) return differencesOfLists(listOf(before), listOf(after), attribute, path);
  if (isRecord(before) && isRecord(after)) return differencesInside(before, after, attribute, path);
  return [{ path, before: plain(before, attribute), after: plain(after, attribute) }];
}

const listOf = (value: unknown): readonly Data[] => (Array.isArray(value) ? value.filter(isRecord) : []);

const attributesOf = (attribute: EmbeddingAttribute, value: Data): Attributes =>
  componentOf(attribute, value)?.attributes ?? new Map();

const differencesInside = (
  before: Data,
  after: Data,
  attribute: EmbeddingAttribute,
  path: Path,
): readonly Difference[] => differencesIn(before, after, attributesOf(attribute, after), path);

const plain = (value: unknown, attribute: EmbeddingAttribute): unknown => {
  if (!isRecord(value)) return value;
  const { id: _id, ...own } = value;
  return withoutIds(own, attributesOf(attribute, value));
};

function differencesOfLists(
  before: readonly Data[],
  after: readonly Data[],
  attribute: EmbeddingAttribute,
  path: Path,
): readonly Difference[] {
  const partners = partnersOf(before, after);
  const kept = partners.filter((position) => position !== undefined);
  const changes = after.flatMap((component, index): readonly Difference[] => {
    const former = before[partners[index] ?? -1];
    const own = [...path, index];
    return former === undefined
      ? [{ path: own, before: null, after: plain(component, attribute) }]
      : differencesInside(former, component, attribute, own);
  });
  const removed = before.flatMap((component, index): readonly Difference[] =>
    kept.includes(index)
      ? []
      : [{ path: [...path, index], before: plain(component, attribute), after: null, removed: true }],
  );
  const isMoved = kept.some((position, index) => index > 0 && position < (kept[index - 1] ?? 0));
  return [...changes, ...removed, ...(isMoved ? [{ path, order: kept }] : [])];
}

/** For each component the position of the one before that it is compared with; undefined: it is new. */
function partnersOf(before: readonly Data[], after: readonly Data[]): readonly (number | undefined)[] {
  const isOfType = (index: number, { __component }: Data): boolean => before[index]?.['__component'] === __component;
  const byId = after.map((component) => {
    const index = before.findIndex(({ id }) => id !== undefined && id === component['id']);
    return index >= 0 && isOfType(index, component) ? index : undefined;
  });
  const taken = new Set(byId);
  // A write without ids makes all components anew.
  return after.map(
    (component, index) => byId[index] ?? (!taken.has(index) && isOfType(index, component) ? index : undefined),
  );
}
