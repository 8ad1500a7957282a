import { attributeTypes } from '../../../content-types/model/attribute-types.js';
import type { Attribute, Attributes, ContentType } from '../../../content-types/model/types.js';
import { isComponentList } from '../../../content-types/model/walk.js';
import {
  componentPath,
  uniqueKey,
  type ComponentWrite,
  type LinkChange,
  type Reference,
  type StoredValue,
  type UniqueKey,
  type ValueChange,
} from '../../../query/mutation.js';
import { referenceTo } from '../../../mongo/stored/relation.js';
import { pathOfComponent, type AttributeInput, type ComponentInput, type EntryInput } from '../../input/entry-input.js';
import { onlyOne } from '../../input/relation-input.js';
import { addTargets } from '../../input/targets.js';
import { arrange, checkConnect, strictly } from '../../../query/list-order.js';
import { someOf } from '../../../mongo/stored/draft.js';

/** The results that are collected while values are encoded. */
interface Collected {
  readonly paths: { path: string; keep: boolean }[];
  readonly removedReferences: Reference[];
  readonly references: Reference[];
  readonly uniqueKeys: UniqueKey[];
  readonly uniquePaths: Map<string, readonly string[]>;
  readonly targets: Map<ContentType, Set<number>>;
}

/** The position of a value: in the data, and as references name it (components by their ids). */
export interface ValuePath {
  readonly path: readonly string[];
  readonly storedPath: string;
  /** The uid of the component around it. */
  readonly uid: string | undefined;
  /** Whether the entry or component around it is new. */
  readonly isNew: boolean;
  readonly collected: Collected;
  readonly options: EncodeOptions;
}

/** The change of a value; undefined if it is unchanged. @throws AppError invalidValue */
export function encodeValue(input: AttributeInput, at: ValuePath): ValueChange | undefined {
  switch (input.kind) {
    case 'scalar': {
      const { attribute, value } = input;
      const stored = value === null ? undefined : attributeTypes[attribute.type].encode(value, attribute.dialect);
      if (stored !== undefined && at.uid !== undefined && attribute.unique) {
        const k = uniqueKey(at.uid, attribute.name, stored);
        at.collected.uniqueKeys.push({ a: at.storedPath, k });
        at.collected.uniquePaths.set(k, at.path);
      }
      return set(stored);
    }
    case 'relation':
      return encodeRelation(input, at);
    case 'morph':
      return encodeMorph(input, at);
    case 'morphed':
      return undefined;
    case 'components':
      return encodeComponents(input, at);
    default:
      return input satisfies never;
  }
}

const set = (value: StoredValue | undefined): ValueChange => ({ kind: 'value', value });

type Input<K extends AttributeInput['kind']> = AttributeInput & { readonly kind: K };

function encodeMorph({ attribute: { many }, links }: Input<'morph'>, at: ValuePath): ValueChange {
  const existing = links.flatMap(({ __type, id }) => {
    const target = at.options.morphTarget(__type, id);
    return target === undefined ? [] : [{ __type, id, target }];
  });
  const linked = many ? existing : existing.slice(0, 1);
  for (const { target, id } of linked) {
    addReferences(at, target, [id]);
    addTargets(at.collected.targets, target, [{ id }]);
  }
  const values = linked.map(({ __type, id }) => ({ __type, id }));
  return set(many ? someOf(values) : values[0]);
}

/** A relation without its own index: media, or in a component. */
function encodeRelation({ attribute, change, appends }: Input<'relation'>, at: ValuePath): ValueChange {
  const { target, many, media } = attribute;
  // As recorded: in an existing entry, `connect` and `disconnect` of media clear the field.
  const clears = media && !at.isNew && !change.replaces && !appends;
  if (many && !media) checkConnect(change);
  // A to-one relation has no positions.
  const replaces = change.replaces || (!many && change.connect.length > 0);
  const linked = many ? change : onlyOne(change, at.isNew || media);
  const effective: LinkChange = clears ? { replaces: true, disconnect: [], connect: [] } : { ...linked, replaces };
  addTargets(at.collected.targets, target, effective.connect);
  if (at.isNew || effective.replaces) {
    // Positions in a to-one relation are ignored.
    const ids = many ? arrange([], strictly({ ...effective, replaces: true })) : effective.connect.map(({ id }) => id);
    addReferences(at, target, ids);
    return set(many ? someOf(ids) : ids[0]);
  }
  addReferences(
    at,
    target,
    effective.connect.map(({ id }) => id),
  );
  const removed = effective.disconnect.map((id) => ({ a: at.storedPath, r: referenceTo(target, id) }));
  at.collected.removedReferences.push(...removed);
  return { kind: 'links', many, change: effective };
}

function encodeComponents({ attribute, components, isPartial }: Input<'components'>, at: ValuePath): ValueChange {
  const isZone = attribute.kind === 'zone';
  const [first] = components;
  if (isComponentList(attribute)) {
    const encoded = components.map((component) => {
      const path = pathOfComponent(at.path, attribute, component);
      return encodeComponent(component, { ...at, path }, isZone ? component.component.uid : undefined);
    });
    if (isPartial) return { kind: 'someComponents', components: encoded.filter((written) => written.kind === 'merge') };
    return { kind: 'components', components: encoded };
  }
  return first === undefined ? set(undefined) : { kind: 'component', component: encodeComponent(first, at, undefined) };
}

function encodeComponent(
  input: ComponentInput,
  { path, storedPath, collected, options }: ValuePath,
  zone: string | undefined,
): ComponentWrite {
  const { uid, attributes } = input.component;
  const keptId = input.isNew ? undefined : input.id;
  const id = keptId ?? options.newComponentId(input);
  const isNew = keptId === undefined;
  const around = componentPath(storedPath, id, zone);
  const changes = new Map<string, ValueChange>();
  for (const inner of inputsOf(input.values, attributes, isNew && options.defaults)) {
    const { name } = inner.attribute;
    const at = { path: [...path, name], storedPath: `${around}.${name}`, uid, isNew, collected, options };
    const change = encodeValue(inner, at);
    if (change === undefined) continue;
    changes.set(name, change);
    if (!isNew) collected.paths.push({ path: at.storedPath, keep: isAdded(change) });
  }
  if (!isNew) {
    collected.paths.push({ path: around, keep: true });
    return { kind: 'merge', id, uid: zone, changes };
  }
  const value: Record<string, StoredValue> = zone === undefined ? { id } : { id, __component: zone };
  for (const [name, change] of changes) {
    const plain = plainValue(change);
    if (plain !== 'merge' && plain.value !== undefined) value[name] = plain.value;
  }
  return { kind: 'new', value };
}

/** Whether a change adds to a value, which keeps its references then; those of others are replaced. */
export const isAdded = ({ kind }: ValueChange): boolean => kind === 'links' || kind === 'someComponents';

/** The new value, or `merge` if it depends on the stored value. */
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
      const values = change.components.flatMap((component) => (component.kind === 'new' ? [component.value] : []));
      return values.length < change.components.length ? 'merge' : { value: someOf(values) };
    }
    default:
      return change satisfies never;
  }
}

function addReferences({ collected, storedPath }: ValuePath, target: ContentType, ids: readonly number[]): void {
  for (const id of ids) collected.references.push({ a: storedPath, r: referenceTo(target, id) });
}

export interface EncodeOptions {
  /** The entry is created. */
  readonly isNew: boolean;
  /** Absent values of a new entry or component get their defaults. */
  readonly defaults: boolean;
  readonly newComponentId: (component: ComponentInput) => number;
  /** The content type of a morph's target; undefined when the type or the entry does not exist. */
  readonly morphTarget: (uid: string, id: number) => ContentType | undefined;
}

/** The encoded attributes in the order of the definition: the written ones, and defaults for the others. */
export function inputsOf(entry: EntryInput, attributes: Attributes, defaults: boolean): readonly AttributeInput[] {
  return [...attributes.values()].flatMap((attribute) => {
    const input = entry.get(attribute.name) ?? (defaults ? defaultOf(attribute) : undefined);
    return input === undefined ? [] : [input];
  });
}

/** The default of an attribute, in the form of written data. */
const defaultOf = (attribute: Attribute): AttributeInput | undefined =>
  attribute.kind === 'scalar' && attribute.default !== undefined
    ? { kind: 'scalar', attribute, value: attribute.default }
    : undefined;
