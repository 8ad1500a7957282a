import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type {
  Changes,
  ComponentWrite,
  KeptComponent,
  Reference,
  Replacement,
  ValueChange,
} from '../../query/mutation.js';
import { listIn, someOf, withFields, type Draft } from '../stored/draft.js';
import { arrangeIds, changeLinks } from '../stored/links.js';
import { REFERENCES } from '../stored/relation.js';

/** The field with the unique values of components. */
const UNIQUE_KEYS = '_unique';

/** Whether the result of a change depends on what is stored. */
export const needsStored = ({ merges, links, references, uniqueKeys }: Changes): boolean =>
  merges.size > 0 || links.length > 0 || !isEmpty(references) || !isEmpty(uniqueKeys);

const isEmpty = ({ paths, remove, add }: Replacement<unknown>): boolean =>
  paths.length === 0 && remove.length === 0 && add.length === 0;

/**
 * Changes an entry.
 * @throws AppError invalidValue for an anchor that is not linked; foreignComponent, foreignZoneComponent for a kept component that it does not have
 */
export function changeEntry(draft: Draft, type: ContentType, changes: Changes): void {
  const { values, merges, links, references, uniqueKeys } = changes;
  for (const [name, change] of merges) {
    const foreign = (): AppError => foreignComponent(type, name);
    draft.set(name, changedValue(draft.get(name), change, foreign));
  }
  for (const change of links) changeLinks(draft, change);
  for (const [name, value] of values) draft.set(name, value);
  if (!isEmpty(references)) draft.set(REFERENCES, replaced(listIn(draft.get(REFERENCES)) as never, references));
  if (!isEmpty(uniqueKeys)) draft.set(UNIQUE_KEYS, replaced(listIn(draft.get(UNIQUE_KEYS)) as never, uniqueKeys));
}

function foreignComponent({ attributes }: ContentType, name: string): AppError {
  const isZone = attributes.get(name)?.kind === 'zone';
  return new AppError(isZone ? 'foreignZoneComponent' : 'foreignComponent', name);
}

/** A component as it is stored. */
type Stored = Readonly<Record<string, unknown>>;
/** The error for a component that the entry does not have. */
type Foreign = () => AppError;

function changedValue(stored: unknown, change: ValueChange, foreign: Foreign): unknown {
  switch (change.kind) {
    case 'value':
      return change.value;
    case 'links': {
      const ids = arrangeIds(listIn(stored).map(Number), change.many, change.change);
      return change.many ? someOf(ids) : ids[0];
    }
    case 'component':
      return changedComponent(listIn(stored), change.component, foreign);
    case 'components':
      return someOf(change.components.map((component) => changedComponent(listIn(stored), component, foreign)));
    case 'someComponents': {
      const held = listIn(stored);
      const changed = new Map(
        change.components.map((kept) => [find(held, kept), changedComponent(held, kept, foreign)]),
      );
      return held.map((component) => changed.get(component as Stored) ?? component);
    }
    default:
      return change satisfies never;
  }
}

/** In a zone, components of different types can have the same id. */
const find = (held: readonly unknown[], { id, uid }: KeptComponent): Stored | undefined =>
  (held as readonly Stored[]).find(
    (component) => Number(component['id']) === id && (uid === undefined || component['__component'] === uid),
  );

function changedComponent(held: readonly unknown[], component: ComponentWrite, foreign: Foreign): unknown {
  if (component.kind === 'new') return component.value;
  const stored = find(held, component);
  if (stored === undefined) throw foreign();
  const changes = [...component.changes].map(
    ([name, change]) => [name, changedValue(stored[name], change, foreign)] as const,
  );
  return withFields(stored, new Map(changes));
}

type Element = { readonly a: string };

/** The new list of references or unique keys. A link of a morph relation that stays keeps its rank. */
function replaced(stored: readonly Element[], { paths, remove, add }: Replacement<object>): unknown {
  const longestFirst = paths.toSorted((a, b) => b.path.length - a.path.length);
  const stays = ({ a }: Element): boolean =>
    longestFirst.find(({ path }) => a === path || a.startsWith(`${path}.`))?.keep ?? true;
  const removed = new Set([...remove, ...add].map(nameOf));
  const ranks = new Map(stored.map((element) => [nameOf(element), (element as Reference).n ?? 0]));
  const added = add.map((element) => {
    const { n } = element as Reference;
    return n === undefined ? element : { ...element, n: Math.max(n, ranks.get(nameOf(element)) ?? 0) };
  });
  return someOf([...stored.filter((element) => stays(element) && !removed.has(nameOf(element))), ...added]);
}

/** Names an element; it may have a rank beside that. */
const nameOf = (element: object): string =>
  JSON.stringify(
    Object.entries(element)
      .filter(([name]) => name !== 'n')
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
