import type { Attribute, Attributes } from '../../content-types/model/types.js';
import { componentOf, holdsComponents } from '../../content-types/model/walk.js';
import type { AttributeInput, ComponentInput, EntryInput } from './entry-input.js';

/** The name of an attribute, or the component to descend into; `uid` in a zone. */
export type AppendStep = string | { readonly id: number; readonly uid: string | undefined };

/** Files for a media field of an existing entry, e.g. at `['links', { id: 4, uid: undefined }, 'icon']`. */
export interface Appended {
  readonly path: readonly AppendStep[];
  readonly ids: readonly number[];
}

/**
 * The input of an update that also adds files to media fields of its entry: appended to the current list, or replacing
 * the current file. A path to no media field, or into a component that the data replaces, changes nothing.
 */
export function appendFiles(
  entry: EntryInput,
  attributes: Attributes,
  { path: [name, ...rest], ids }: Appended,
): EntryInput {
  const attribute = typeof name === 'string' ? attributes.get(name) : undefined;
  if (attribute === undefined || ids.length === 0) return entry;
  const written = entry.get(attribute.name);
  const input =
    rest.length === 0 ? withFiles(written, attribute, ids) : within(written, attribute, { path: rest, ids });
  return input === undefined ? entry : new Map([...entry, [attribute.name, input]]);
}

function withFiles(
  written: AttributeInput | undefined,
  attribute: Attribute,
  ids: readonly number[],
): AttributeInput | undefined {
  if (attribute.kind !== 'relation' || !attribute.media) return undefined;
  const added = ids.map((id) => ({ id, position: { at: 'end' } as const }));
  const input = { kind: 'relation', attribute, written: ids } as const;
  if (!attribute.many) return { ...input, change: { replaces: true, disconnect: [], connect: added.slice(-1) } };
  const { change, appends } = written?.kind === 'relation' ? written : { change: undefined, appends: true as const };
  // The data alone would clear the field, see `encodeRelation`.
  const before = change !== undefined && (appends || change.replaces) ? change.connect : [];
  const connect = [...before, ...added.filter(({ id }) => !before.some((link) => link.id === id))];
  return { ...input, change: { replaces: !appends, disconnect: [], connect }, ...(appends && { appends }) };
}

function within(
  written: AttributeInput | undefined,
  attribute: Attribute,
  { path: [step, ...path], ids }: Appended,
): AttributeInput | undefined {
  if (typeof step !== 'object' || !holdsComponents(attribute)) return undefined;
  const component = componentOf(attribute, { __component: step.uid });
  if (component === undefined) return undefined;
  const append = (input: ComponentInput): ComponentInput => ({
    ...input,
    values: appendFiles(input.values, component.attributes, { path, ids }),
  });
  const isIt = (input: ComponentInput): boolean =>
    !input.isNew && input.id === step.id && input.component === component;
  const untouched = { kind: 'components', attribute, components: [], isPartial: true } as const;
  const input = written?.kind === 'components' ? written : untouched;
  const { components, isPartial } = input;
  if (components.some(isIt))
    return { ...input, components: components.map((part) => (isIt(part) ? append(part) : part)) };
  if (!isPartial) return undefined;
  const added = { component, id: step.id, isNew: false, index: components.length, values: new Map() };
  return { ...input, components: [...components, append(added)] };
}
