import { attributeTypes } from '../../../content-types/model/attribute-types.js';
import type { Attribute, Component, ContentType, RelationAttribute } from '../../../content-types/model/types.js';
import {
  componentPath,
  referenceTo,
  uniqueKey,
  type ComponentWrite,
  type LinkChange,
  type Reference,
  type StoredValue,
  type UniqueKey,
  type ValueChange,
} from '../../../query/mutation.js';
import { arrange, checkConnect, strictly } from '../list-order.js';
import { keptId } from '../../input/components-in.js';
import type { Data } from '../../context.js';
import { collectTarget, givenValues, type EncodeOptions } from './encoding.js';
import { onlyOne, parseMorphLinks, parseRelation } from '../../input/relation-input.js';

/** What is gathered while values are encoded. */
interface Collected {
  readonly paths: { path: string; keep: boolean }[];
  readonly referencesGone: Reference[];
  readonly references: Reference[];
  readonly uniqueKeys: UniqueKey[];
  readonly uniquePaths: Map<string, readonly string[]>;
  readonly targets: Map<ContentType, Set<number>>;
}

/** Where a value stands: in the data, and as references name it (components by their ids). */
export interface Place {
  readonly path: readonly string[];
  readonly storedPath: string;
  /** The uid of the component around it. */
  readonly uid: string | undefined;
  /** What is around it is new. */
  readonly isNew: boolean;
  readonly collected: Collected;
  readonly options: EncodeOptions;
}

/** What becomes of a value; undefined when nothing does. @throws AppError invalidValue, validation */
export function encodeValue(value: unknown, attribute: Attribute, place: Place): ValueChange | undefined {
  switch (attribute.kind) {
    case 'scalar': {
      const stored = value === null ? undefined : attributeTypes[attribute.type].encode(value);
      if (stored !== undefined && place.uid !== undefined && (attribute.unique || attribute.type === 'uid')) {
        const k = uniqueKey(place.uid, attribute.name, stored);
        place.collected.uniqueKeys.push({ a: place.storedPath, k });
        place.collected.uniquePaths.set(k, place.path);
      }
      return set(stored);
    }
    case 'relation':
      return encodeRelation(value, attribute, place);
    case 'morph': {
      const { many } = attribute;
      const written = parseMorphLinks(value, attribute);
      if (written === undefined) return undefined;
      const links = written.flatMap(({ __type, id }) => {
        const target = place.options.morphTarget(__type, id);
        return target === undefined ? [] : [{ __type, id, target }];
      });
      const kept = many ? links : links.slice(0, 1);
      for (const { target, id } of kept) {
        refer(place, target, [id]);
        collectTarget(place.collected.targets, target, { connect: [{ id, position: { at: 'end' } }] });
      }
      const values = kept.map(({ __type, id }) => ({ __type, id }));
      return set(many ? nonEmpty(values) : values[0]);
    }
    case 'morphed':
      return undefined;
    case 'component': {
      if (value === null) return set(undefined);
      const { component } = attribute;
      if (!attribute.repeatable) {
        return { kind: 'component', component: encodeComponent(value as Data, component, place, undefined) };
      }
      const components = (value as readonly Data[]).map((one, index) =>
        encodeComponent(one, component, element(place, index), undefined),
      );
      return { kind: 'components', components };
    }
    case 'zone': {
      const components = (value as readonly Data[]).map((one, index) => {
        const component = attribute.components.get(String(one['__component'])) as Component;
        return encodeComponent(one, component, element(place, index), component.uid);
      });
      return { kind: 'components', components };
    }
    default:
      return attribute satisfies never;
  }
}

const set = (value: StoredValue | undefined): ValueChange => ({ kind: 'value', value });

/** An element of a list: its index is in the data's path only, references know it by its id. */
const element = (place: Place, index: number): Place => ({ ...place, path: [...place.path, String(index)] });

/** A relation without an index of its own: media, or in a component. */
function encodeRelation(value: unknown, attribute: RelationAttribute, place: Place): ValueChange | undefined {
  const change = parseRelation(value);
  if (change === undefined) return undefined;
  const { target, many, media } = attribute;
  // As recorded: on what is there already, `connect` and `disconnect` of media clear.
  const clears = media && !place.isNew && !change.replaces;
  if (many && !media) checkConnect(change);
  // A relation to one entry has no place for another beside it.
  const replaces = change.replaces || (!many && change.connect.length > 0);
  const linked = many ? change : onlyOne(change, place.isNew || media);
  const known: LinkChange = clears ? { replaces: true, disconnect: [], connect: [] } : { ...linked, replaces };
  collectTarget(place.collected.targets, target, known);
  if (place.isNew || known.replaces) {
    // For a relation to one entry places mean nothing.
    const kept = many ? arrange([], strictly({ ...known, replaces: true })) : known.connect.map(({ id }) => id);
    refer(place, target, kept);
    return set(many ? nonEmpty(kept) : kept[0]);
  }
  refer(
    place,
    target,
    known.connect.map(({ id }) => id),
  );
  const gone = known.disconnect.map((id) => ({ a: place.storedPath, r: referenceTo(target, id) }));
  place.collected.referencesGone.push(...gone);
  return { kind: 'links', many, change: known };
}

function encodeComponent(data: Data, component: Component, place: Place, zone: string | undefined): ComponentWrite {
  const { uid, attributes } = component;
  const kept = keptId(data, place.isNew);
  const id = kept ?? place.options.newComponentId(component, data);
  const around = { ...place, uid, isNew: kept === undefined, storedPath: componentPath(place.storedPath, id, zone) };
  const changes = givenValues(data, attributes, kept === undefined && place.options.defaults).flatMap(
    ([name, value]) => {
      const attribute = attributes.get(name) as Attribute;
      const inside = { ...around, path: [...place.path, name], storedPath: `${around.storedPath}.${name}` };
      const change = encodeValue(value, attribute, inside);
      if (change === undefined) return [];
      // One to one or many that is linked further keeps its references; all else is said anew.
      if (kept !== undefined) place.collected.paths.push({ path: inside.storedPath, keep: change.kind === 'links' });
      return [[name, change] as const];
    },
  );
  if (kept !== undefined) {
    place.collected.paths.push({ path: around.storedPath, keep: true });
    return { kind: 'merge', id, uid: zone, changes: new Map(changes) };
  }
  const values = changes.flatMap(([name, change]) => {
    const plain = plainValue(change);
    return plain === 'merge' || plain.value === undefined ? [] : [[name, plain.value] as const];
  });
  return {
    kind: 'new',
    value: { id, ...(zone !== undefined && { __component: zone }), ...Object.fromEntries(values) },
  };
}

/** The whole new value where it is known; `merge` where it depends on what is stored. */
export function plainValue(change: ValueChange): { readonly value: StoredValue | undefined } | 'merge' {
  switch (change.kind) {
    case 'value':
      return change;
    case 'links':
    case 'someComponents':
      return 'merge';
    case 'component':
      return change.component.kind === 'new' ? change.component : 'merge';
    case 'components': {
      const values = change.components.flatMap((one) => (one.kind === 'new' ? [one.value] : []));
      return values.length < change.components.length ? 'merge' : { value: nonEmpty(values) };
    }
    default:
      return change satisfies never;
  }
}

/** Empty lists are not stored: absent and empty are the same. */
const nonEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

function refer({ collected, storedPath }: Place, target: ContentType, ids: readonly number[]): void {
  for (const id of ids) collected.references.push({ a: storedPath, r: referenceTo(target, id) });
}
