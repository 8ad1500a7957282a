import type { Attribute, Attributes, ContentType, RelationAttribute } from '../../../content-types/model/types.js';
import { componentOf, holdsComponents } from '../../../content-types/model/walk.js';
import {
  componentPath,
  type KeptComponent,
  type Reference,
  type StoredValue,
  type ValueChange,
} from '../../../query/mutation.js';
import { referenceTo } from '../../../mongo/stored/relation.js';
import { plainValue } from './encode-value.js';
import { addTargets } from '../../input/targets.js';
import type { Encoded } from './encode.js';

/** The name of an attribute, or the component to descend into; `uid` in a zone. */
export type AppendStep = string | { readonly id: number; readonly uid: string | undefined };

/** Files for a media field of an existing entry, e.g. at `['links', { id: 4, uid: undefined }, 'icon']`. */
export interface Appended {
  readonly path: readonly AppendStep[];
  readonly ids: readonly number[];
}

type ValueChanges = ReadonlyMap<string, ValueChange>;

/**
 * An update of an entry that also adds files to its media fields: appended to the current list, or replacing
 * the current file. A path to no media field, or into a component that the data replaces, changes nothing.
 */
export function appendMedia<E extends Encoded>(
  encoded: E,
  { attributes }: ContentType,
  appended: readonly Appended[],
): E {
  if (appended.length === 0) return encoded;
  const references = [...encoded.references.add];
  const paths: { path: string; keep: boolean }[] = [];
  const targets = new Map([...encoded.targets].map(([target, ids]) => [target, new Set(ids)]));
  let changes: ValueChanges = new Map<string, ValueChange>([
    ...[...encoded.values].map(([name, value]) => [name, { kind: 'value', value }] as const),
    ...encoded.merges,
  ]);
  for (const { path, ids } of appended) {
    const media = { ids, references, paths, targets };
    changes = appendIn(changes, attributes, path, '', media);
  }
  const values = new Map<string, StoredValue | undefined>();
  const merges = new Map<string, ValueChange>();
  for (const [name, change] of changes) {
    const plain = plainValue(change);
    if (plain === 'merge') merges.set(name, change);
    else values.set(name, plain.value);
  }
  const { paths: replaced, remove } = encoded.references;
  return {
    ...encoded,
    values,
    merges,
    targets,
    references: { paths: [...replaced, ...paths], remove, add: references },
  };
}

interface Media {
  readonly ids: readonly number[];
  readonly references: Reference[];
  readonly paths: { path: string; keep: boolean }[];
  readonly targets: Map<ContentType, Set<number>>;
}

/** `prefix` is the path to the values, as references name it. */
function appendIn(
  changes: ValueChanges,
  attributes: Attributes,
  [name, ...rest]: readonly AppendStep[],
  prefix: string,
  media: Media,
): ValueChanges {
  const attribute = typeof name === 'string' ? attributes.get(name) : undefined;
  if (attribute === undefined) return changes;
  const path = `${prefix}${attribute.name}`;
  const former = changes.get(attribute.name);
  const changed =
    rest.length === 0 ? appendTo(former, attribute, path, media) : appendWithin(former, attribute, rest, path, media);
  return changed === undefined ? changes : new Map([...changes, [attribute.name, changed]]);
}

function appendTo(
  former: ValueChange | undefined,
  attribute: Attribute,
  path: string,
  media: Media,
): ValueChange | undefined {
  if (attribute.kind !== 'relation' || !attribute.media) return undefined;
  const ids = attribute.many ? media.ids : media.ids.slice(-1);
  const connect = ids.map((id) => ({ id, position: { at: 'end' } as const }));
  addTargets(media.targets, attribute.target, connect);
  return attribute.many ? appendToList(former, attribute, ids, path, media) : replaceOne(attribute, ids, path, media);
}

function appendToList(
  former: ValueChange | undefined,
  { target }: RelationAttribute,
  ids: readonly number[],
  path: string,
  { references }: Media,
): ValueChange {
  references.push(...ids.map((id) => ({ a: path, r: referenceTo(target, id) })));
  if (former?.kind === 'value') {
    const held = (former.value ?? []) as readonly number[];
    return { kind: 'value', value: [...held, ...ids.filter((id) => !held.includes(id))] };
  }
  const earlier = former?.kind === 'links' ? former.change.connect : [];
  const connect = [...earlier, ...ids.map((id) => ({ id, position: { at: 'end' } as const }))];
  return { kind: 'links', many: true, change: { replaces: false, disconnect: [], connect } };
}

function replaceOne(
  { target }: RelationAttribute,
  [id]: readonly number[],
  path: string,
  { references, paths }: Media,
): ValueChange | undefined {
  if (id === undefined) return undefined;
  // Replaces what the data or an earlier file wrote to this field.
  const others = references.filter(({ a }) => a !== path);
  references.splice(0, references.length, ...others, { a: path, r: referenceTo(target, id) });
  paths.push({ path, keep: false });
  return { kind: 'value', value: id };
}

function appendWithin(
  former: ValueChange | undefined,
  attribute: Attribute,
  [step, ...rest]: readonly AppendStep[],
  path: string,
  media: Media,
): ValueChange | undefined {
  if (typeof step !== 'object' || !holdsComponents(attribute)) return undefined;
  const { id, uid } = step;
  const component = componentOf(attribute, { __component: uid });
  if (component === undefined) return undefined;
  const append = (kept: KeptComponent): KeptComponent => {
    const inside = `${componentPath(path, id, uid)}.`;
    return { ...kept, changes: appendIn(kept.changes, component.attributes, rest, inside, media) };
  };
  const isIt = (candidate: { readonly kind: string }): candidate is KeptComponent =>
    candidate.kind === 'merge' && (candidate as KeptComponent).id === id && (candidate as KeptComponent).uid === uid;
  const fresh = (): KeptComponent => append({ kind: 'merge', id, uid, changes: new Map() });
  switch (former?.kind) {
    case undefined:
      return attribute.kind === 'component' && !attribute.repeatable
        ? { kind: 'component', component: fresh() }
        : { kind: 'someComponents', components: [fresh()] };
    case 'component':
      return isIt(former.component) ? { ...former, component: append(former.component) } : undefined;
    case 'components':
      if (!former.components.some(isIt)) return undefined;
      return { ...former, components: former.components.map((stored) => (isIt(stored) ? append(stored) : stored)) };
    case 'someComponents': {
      const { components } = former;
      if (!components.some(isIt)) return { ...former, components: [...components, fresh()] };
      return { ...former, components: components.map((stored) => (isIt(stored) ? append(stored) : stored)) };
    }
    case 'value':
    case 'links':
      return undefined;
    default:
      return former satisfies never;
  }
}
