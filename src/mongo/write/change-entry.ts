import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type {
  Changes,
  ComponentWrite,
  KeptComponent,
  NewDocument,
  Reference,
  UniqueKey,
  ValueChange,
} from '../../query/mutation.js';
import { listIn, editOf, someOf, withFields, type EntryEdit } from '../stored/entry-edit.js';
import { derivedListsIn, UNIQUE_KEYS } from '../stored/derived-lists.js';
import { arrangeIds, changeLinks } from '../stored/links.js';
import { REFERENCES } from '../stored/relation.js';

/** Whether the result of a change depends on what is stored. */
export const needsStored = (type: ContentType, changes: Changes): boolean =>
  changes.links.length > 0 || namesWithDerivedLists(type, changes).length > 0;

/** The changed attributes whose values may have references or unique keys. */
const namesWithDerivedLists = ({ attributes }: ContentType, { values, merges }: Changes): readonly string[] =>
  [...values.keys(), ...merges.keys()].filter((name) => (attributes.get(name)?.kind ?? 'scalar') !== 'scalar');

/** The document of a new entry. @throws AppError as `changeEntry` */
export function insertedDocument(type: ContentType, id: number, changes: Changes): NewDocument {
  // A scan finds the first fields of a document soonest, and needs these of every entry.
  const edit = editOf({ _id: id, locale: undefined, _live: undefined });
  changeEntry(edit, type, changes);
  return { _id: id, ...edit.document() };
}

/**
 * Changes an entry.
 * @throws AppError invalidValue for an anchor that is not linked; foreignComponent, foreignZoneComponent for a kept
 * component that it does not have
 */
export function changeEntry(edit: EntryEdit, type: ContentType, changes: Changes): void {
  const { values, merges, links, rank } = changes;
  for (const [name, value] of values) edit.set(name, value);
  for (const [name, change] of merges) {
    edit.set(
      name,
      changedValue(edit.get(name), change, () => foreignComponent(type, name)),
    );
  }
  for (const change of links) changeLinks(edit, change, rank);
  const names = namesWithDerivedLists(type, changes);
  if (names.length > 0) rebuildDerivedLists(edit, type, new Set(names), rank);
}

const foreignComponent = ({ attributes }: ContentType, name: string): AppError =>
  new AppError(attributes.get(name)?.kind === 'zone' ? 'foreignZoneComponent' : 'foreignComponent', name);

/** Replaces the references and unique keys of these attributes. @param rank of the links of morph relations */
function rebuildDerivedLists(
  edit: EntryEdit,
  { attributes }: ContentType,
  names: ReadonlySet<string>,
  rank: number | undefined,
): void {
  const { references, uniqueKeys } = derivedListsIn(
    Object.fromEntries([...names].map((name) => [name, edit.get(name)])),
    attributes,
  );
  const former = listIn(edit.get(REFERENCES)) as readonly Reference[];
  const formerKeys = listIn(edit.get(UNIQUE_KEYS)) as readonly UniqueKey[];
  const stays = ({ a }: UniqueKey | Reference): boolean => !names.has(a.split('.', 1)[0] ?? a);
  const ranked = references.map((reference): Reference => {
    const { a, r } = reference;
    if (rank === undefined || attributes.get(a)?.kind !== 'morph') return reference;
    // Another write may have linked it with a later rank.
    const { n = 0 } = former.find((other) => other.a === a && other.r === r) ?? {};
    return { a, r, n: Math.max(n, rank) };
  });
  edit.set(REFERENCES, someOf([...former.filter(stays), ...ranked]));
  edit.set(UNIQUE_KEYS, someOf([...formerKeys.filter(stays), ...uniqueKeys]));
}

/** A component as it is stored. */
type Stored = Readonly<Record<string, unknown>>;

/** @param foreign the error for a component that the entry does not have */
function changedValue(stored: unknown, change: ValueChange, foreign: () => AppError): unknown {
  switch (change.kind) {
    case 'value':
      return change.value;
    case 'links': {
      const ids = arrangeIds(listIn(stored).map(Number), change.many, change.change);
      return change.many ? someOf(ids) : ids[0];
    }
    case 'components': {
      const written = change.components.map((component) => changedComponent(listIn(stored), component, foreign));
      return change.many ? someOf(written) : written[0];
    }
    case 'someComponents': {
      const components = listIn(stored);
      const changed = new Map(
        change.components.map((kept) => [find(components, kept), changedComponent(components, kept, foreign)]),
      );
      return components.map((component) => changed.get(component as Stored) ?? component);
    }
    default:
      return change satisfies never;
  }
}

/** In a zone, components of different types can have the same id. */
const find = (components: readonly unknown[], { id, uid }: KeptComponent): Stored | undefined =>
  (components as readonly Stored[]).find(
    (component) => Number(component['id']) === id && (uid === undefined || component['__component'] === uid),
  );

function changedComponent(components: readonly unknown[], component: ComponentWrite, foreign: () => AppError): unknown {
  if (component.kind === 'new') return component.value;
  const stored = find(components, component);
  if (stored === undefined) throw foreign();
  const changes = [...component.changes].map(
    ([name, change]) => [name, changedValue(stored[name], change, foreign)] as const,
  );
  return withFields(stored, new Map(changes));
}
