import lodash from 'lodash';
import { UNLINKED } from '../../content-types/link/other-sides.js';
import { attributeTypes } from '../../content-types/model/attribute-types.js';
import type { ContentType } from '../../content-types/model/types.js';
import { isComponentList } from '../../content-types/model/walk.js';
import { hasCode } from '../../errors/app-error.js';
import type { Targets } from '../../mongo/read/missing-targets.js';
import { someOf } from '../../mongo/stored/entry-edit.js';
import { isIndexed, isStoredInTarget } from '../../mongo/stored/relation.js';
import { PUBLICATION, REVIEW } from '../../mongo/stored/review.js';
import type { ReservedIds } from '../../mongo/write/component-ids.js';
import type { AnyRelation } from '../../query/ast.js';
import { arrange, checkConnect, strictly } from '../../query/list-order.js';
import type { ComponentWrite, CopyUse, LinkChange, Links, StoredValue, ValueChange } from '../../query/mutation.js';
import { isUnreachable } from '../../query/visibility.js';
import type { DocumentsContext } from '../context.js';
import {
  addTargets,
  countNewComponents,
  mergeComponents,
  morphTargets,
  withDefaults,
  type AttributeInput,
  type ComponentInput,
  type EntryInput,
} from '../input/entry-input.js';
import { withoutHidden } from '../input/hidden-targets.js';
import { onlyOne } from '../input/relation-input.js';
import { hashPasswords } from './passwords.js';

/** A written entry in its stored form, with its dependent writes. */
export interface Encoded {
  /** By attribute; undefined clears. */
  readonly values: ReadonlyMap<string, StoredValue | undefined>;
  /** Attributes with existing components that are kept. */
  readonly merges: ReadonlyMap<string, ValueChange>;
  /** Relations that this entry owns. */
  readonly links: readonly Links[];
  /** Relations that the other side owns, also a morph relation. */
  readonly otherSides: readonly OtherSide[];
  /** All entries that it links to. */
  readonly targets: Targets;
}

/** A change of the other side of a relation. */
export interface OtherSide extends LinkChange {
  readonly attribute: AnyRelation;
}

interface EncodeOptions {
  /** Whether the entry, or the component around a value, is new. */
  readonly isNew: boolean;
  readonly newComponentId: (component: ComponentInput) => number;
}

interface Encoding extends EncodeOptions {
  readonly targets: Map<ContentType, Set<number>>;
}

/**
 * Encodes an entry in its stored form.
 * @throws AppError invalidValue
 */
export function encode(entry: EntryInput, options: EncodeOptions): Encoded {
  const values = new Map<string, StoredValue | undefined>();
  const merges = new Map<string, ValueChange>();
  const links: Links[] = [];
  const inverse: OtherSide[] = [];
  const morphed: OtherSide[] = [];
  const { isNew } = options;
  const targets: Encoding['targets'] = new Map();
  for (const [name, input] of entry) {
    if (input.kind !== 'relation' || isInPlace(input.attribute)) {
      const change = encodeValue(input, { ...options, targets });
      if (change?.kind === 'value') values.set(name, change.value);
      else if (change !== undefined) merges.set(name, change);
      continue;
    }
    const { attribute, change } = input;
    if (isUnreachable(attribute)) continue;
    addTargets(targets, attribute.target, change.connect);
    if (attribute.kind === 'morphed') {
      morphed.push({ ...change, connect: lodash.uniqBy(change.connect, ({ id }) => id), attribute });
    } else if (attribute.inverse !== UNLINKED) {
      const effective = attribute.many ? ordered(change, isNew) : onlyOne(change, isNew);
      (attribute.side === 'inverse' ? inverse : links).push({ ...effective, attribute });
    }
  }
  return { values, merges, links, otherSides: [...inverse, ...morphed], targets };
}

/** Media are stored like a value. */
const isInPlace = (attribute: AnyRelation): boolean => !isIndexed(attribute) && !isStoredInTarget(attribute);

/**
 * A change of a list; for a new entry the positions are resolved immediately and strictly.
 * @throws AppError invalidValue
 */
function ordered(change: LinkChange, isNew: boolean): LinkChange {
  checkConnect(change);
  if (!isNew) return change;
  const byId = new Map(change.connect.map((link) => [link.id, link]));
  const connect = arrange([], strictly(change)).map((id) => ({
    ...byId.get(id),
    id,
    position: { at: 'end' } as const,
  }));
  return { replaces: true, disconnect: [], connect };
}

/** The change of a value; undefined if it is stored elsewhere. @throws AppError invalidValue */
function encodeValue(input: AttributeInput, encoding: Encoding): ValueChange | undefined {
  switch (input.kind) {
    case 'scalar':
      return set(input.value === null ? undefined : encodeScalar(input));
    case 'relation':
      return encodeRelation(input, encoding);
    case 'morph':
      return encodeMorph(input, encoding);
    case 'components':
      return encodeComponents(input, encoding);
    default:
      return input satisfies never;
  }
}

/** Strapi's message about an invalid date does not name the attribute. */
function encodeScalar({ attribute, value }: Input<'scalar'>): StoredValue {
  try {
    return attributeTypes[attribute.type].encode(value, attribute.dialect);
  } catch (error) {
    throw hasCode(error, 'invalidValue') ? error.because(`${attribute.name} is ${JSON.stringify(value)}`) : error;
  }
}

const set = (value: StoredValue | undefined): ValueChange => ({ kind: 'value', value });

type Input<K extends AttributeInput['kind']> = AttributeInput & { readonly kind: K };

function encodeMorph({ attribute: { many, candidates }, links }: Input<'morph'>, { targets }: Encoding): ValueChange {
  const existing = links.filter(({ __type }) => candidates.has(__type));
  const linked = (many ? existing : existing.slice(0, 1)).map(({ __type, id }) => ({ __type, id }));
  for (const link of linked) addTargets(targets, candidates.get(link.__type) as ContentType, [link]);
  return set(many ? someOf(linked) : linked[0]);
}

/** A relation without its own index: media, or in a component. */
function encodeRelation(
  { attribute, change, appends }: Input<'relation'>,
  { isNew, targets }: Encoding,
): ValueChange | undefined {
  if (attribute.kind === 'morphed') return undefined;
  const { target, many, media } = attribute;
  // As recorded: in an existing entry, `connect` and `disconnect` of media clear the field.
  const clears = media && !isNew && !change.replaces && !appends;
  if (many && !media) checkConnect(change);
  // A to-one relation has no positions.
  const replaces = change.replaces || (!many && change.connect.length > 0);
  const linked = many ? change : onlyOne(change, isNew || media);
  const effective: LinkChange = clears ? { replaces: true, disconnect: [], connect: [] } : { ...linked, replaces };
  addTargets(targets, target, effective.connect);
  if (!isNew && !effective.replaces) return { kind: 'links', many, change: effective };
  // Positions in a to-one relation are ignored.
  const ids = many ? arrange([], strictly({ ...effective, replaces: true })) : effective.connect.map(({ id }) => id);
  return set(many ? someOf(ids) : ids[0]);
}

function encodeComponents(input: Input<'components'>, encoding: Encoding): ValueChange {
  const { attribute, isPartial } = input;
  const many = isComponentList(attribute);
  // A list where one component belongs is only its first element.
  const components = (many ? input.components : input.components.slice(0, 1)).map((component) =>
    encodeComponent(component, encoding, attribute.kind === 'zone' ? component.component.uid : undefined),
  );
  if (many && isPartial)
    return { kind: 'someComponents', components: components.filter((written) => written.kind === 'merge') };
  const added = components.flatMap((component) => (component.kind === 'new' ? [component.value] : []));
  if (added.length < components.length) return { kind: 'components', many, components };
  return set(many ? someOf(added) : added[0]);
}

function encodeComponent(input: ComponentInput, encoding: Encoding, zone: string | undefined): ComponentWrite {
  const keptId = input.isNew ? undefined : input.id;
  const id = keptId ?? encoding.newComponentId(input);
  const isNew = keptId === undefined;
  const changes = new Map<string, ValueChange>();
  const inside = { ...encoding, isNew };
  for (const [name, inner] of input.values) {
    const change = encodeValue(inner, inside);
    if (change !== undefined) changes.set(name, change);
  }
  if (!isNew) return { kind: 'merge', id, uid: zone, changes };
  // Nothing in a new component depends on what is stored.
  const values = [...changes].flatMap(([name, change]) =>
    change.kind === 'value' && change.value !== undefined ? [[name, change.value] as const] : [],
  );
  return {
    kind: 'new',
    value: { id, ...(zone !== undefined && { __component: zone }), ...Object.fromEntries(values) },
  };
}

/** An encoded entry, its input, and the ids of its new components. */
export interface EncodedEntry extends Encoded {
  readonly input: EntryInput;
  readonly componentIds: ReservedIds;
}

/**
 * Encodes valid data for the storage: it gets defaults, passwords are hashed unless it is raw, and components get ids.
 * Links of morph relations to missing entries are left out, as Strapi v4 accepts them.
 * @throws AppError invalidValue, validation
 */
export async function encodeEntry(
  context: DocumentsContext,
  type: ContentType,
  entry: EntryInput,
  { isNew, raw }: { readonly isNew: boolean; readonly raw: boolean },
): Promise<EncodedEntry> {
  const { store } = context;
  const complete = withDefaults(isNew ? entry : mergeComponents(entry), type.attributes, isNew);
  const hashed = raw ? complete : await hashPasswords(complete, context.passwords);
  const missing = await store.missing(morphTargets(hashed));
  const input = withoutHidden(hashed, new Map([...missing].map(([target, ids]) => [target, new Set(ids)])));
  const counts = countNewComponents(input);
  const first = await store.componentIds.reserve(counts);
  const next = new Map(first);
  const newComponentId = ({ component: { uid } }: ComponentInput): number => {
    const id = next.get(uid) ?? 0;
    next.set(uid, id + 1);
    return id;
  };
  const componentIds = { first, counts };
  try {
    return { ...encode(input, { isNew, newComponentId }), input, componentIds };
  } catch (error) {
    store.componentIds.release(componentIds);
    throw error;
  }
}

type Values = ReadonlyMap<string, StoredValue | undefined>;

/**
 * Of a write that publishes an entry: it ends the request to do so, and says which user has published it, if one has.
 */
export function publicationMarks(
  values: Values,
  { draftAndPublish }: ContentType,
  { by, copy, isOfCopy = false }: PublishedBy,
): readonly (readonly [string, StoredValue | undefined])[] {
  if (!draftAndPublish || (copy !== 'merge' && values.get('publishedAt') === undefined)) return [];
  const mark = by === undefined ? undefined : { by, at: new Date(), ...(isOfCopy && { isOfCopy }) };
  return [
    [REVIEW, undefined],
    [PUBLICATION, mark],
  ];
}

interface PublishedBy {
  readonly by?: number | undefined;
  readonly copy?: CopyUse | undefined;
  readonly isOfCopy?: boolean;
}

/** `_live`, which follows `publishedAt`; nothing if that is not written. */
export function liveMark(values: Values, type: ContentType): readonly (readonly [string, StoredValue | undefined])[] {
  if (!type.draftAndPublish || !values.has('publishedAt')) return [];
  return [['_live', values.get('publishedAt') === undefined ? undefined : 1]];
}
