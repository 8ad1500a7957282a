import { groupBy } from '../../config/group-by.js';
import type { ScalarValue } from '../../content-types/model/attribute-types.js';
import { isLocalizations } from '../../content-types/model/localized.js';
import type { Attribute, ContentType, RelationAttribute, ScalarAttribute } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { Issue } from '../../errors/codes.js';
import { both, idIn, idIs, live, type Filter } from '../../query/ast.js';
import { linkedIds, replacesAll } from '../../query/list-order.js';
import type { Changes, Links } from '../../query/mutation.js';
import { isExclusive } from '../../content-types/model/exclusive.js';
import { otherSideName } from '../../mongo/stored/relation.js';
import { publishedElsewhere } from '../../mongo/write/share-values.js';
import type { Caller } from '../caller.js';
import { emptyQuery, type DocumentsContext } from '../context.js';
import { first } from '../read.js';
import type { OtherSide } from './encode.js';
import { mayAsk } from './rights-of-asks.js';

/**
 * Entries that a write changes besides its own: those that store the other side of a relation, and localizations with
 * shared values.
 */
interface ChangedEntries {
  readonly type: ContentType;
  readonly filter: Filter;
  /** What changes in them. */
  readonly attribute: Attribute;
  /** The written attribute that causes it. */
  readonly by: string;
}

/** A write of one entry with what follows from it. */
export interface LinkedWrite {
  readonly type: ContentType;
  readonly id: number;
  readonly changes: Pick<Changes, 'values' | 'links'>;
  /** The written values that its localizations share. */
  readonly shared: readonly string[];
  readonly otherSides: readonly OtherSide[];
  /**
   * The attributes in the client's data: what code of the project adds is not limited. Or that all of it comes from a
   * working copy: the rights to write these attributes were asked when it was saved.
   */
  readonly written: ReadonlySet<string> | 'copy';
}

interface Changing {
  readonly caller: Caller;
  /** The write changes what is published. */
  readonly isPublished: boolean;
}

/**
 * Checks that the caller may change the entries that a write changes besides its own, as if it were sent for each of
 * them. Only rules limit this: a caller without a rule for their type needs no permission, as in Strapi v4. One read
 * per content type.
 * @throws AppError validation, naming the attributes
 */
export async function assertMayChange(
  context: DocumentsContext,
  writes: readonly LinkedWrite[],
  by: Changing,
): Promise<void> {
  if (by.caller.where === undefined) return;
  const refused = writes.flatMap((write) =>
    changedEntries(write).flatMap((changed) => {
      const { written } = write;
      const isLimited = written === 'copy' || written.has(changed.by);
      const forbidden = isLimited ? forbiddenOf(context, changed, by, written === 'copy') : undefined;
      return forbidden === undefined ? [] : [{ ...changed, filter: forbidden }];
    }),
  );
  for (const [type, changed] of groupBy(refused, ({ type }) => type)) {
    const filter: Filter = { kind: 'or', filters: changed.map((entries) => entries.filter) };
    if ((await context.store.find(first({ ...emptyQuery(type), filter }))).entries.length === 0) continue;
    const names = [...new Set(changed.map(({ by }) => by))];
    const message = `${names.join(', ')} must not be written like this: it would change entries of ${type.uid} that the caller may not change`;
    throw new AppError(
      'validation',
      names.map((name) => ({ path: [name], message, rule: 'writable' })),
    );
  }
}

/**
 * Checks that a new draft changes nothing that is published: it has the shared values that published localizations
 * have. Others can be saved once it exists: then they wait until it is published.
 * @throws AppError validation, naming the attributes
 */
export async function assertSharedAlike(
  context: DocumentsContext,
  write: Pick<LinkedWrite, 'type' | 'id' | 'changes' | 'shared'>,
): Promise<void> {
  const { type, id, changes, shared } = write;
  const issues: Issue[] = [];
  // Components and files are compared when all localizations are locked.
  const compared = shared.filter((name) => type.attributes.get(name)?.kind === 'scalar');
  for (const { by, filter } of localizations(type, id, changes, compared)) {
    const query = first({ ...emptyQuery(type), filter: both(filter, live) });
    if ((await context.store.find(query)).entries.length === 0) continue;
    issues.push(publishedElsewhere(by));
  }
  if (issues.length > 0) throw new AppError('validation', issues);
}

/** Those of the entries that the caller may not change; undefined: the caller may change all. */
function forbiddenOf(
  context: DocumentsContext,
  { type, attribute, filter }: ChangedEntries,
  { caller, isPublished }: Changing,
  ofCopy: boolean,
): Filter | undefined {
  if (!ofCopy && caller.withheld?.(`${type.uid}.update`)?.has(attribute) === true) return filter;
  const ofPublished = isPublished && !mayAsk(type, 'write', caller) ? both(filter, live) : undefined;
  const hasRule = ['find', 'findOne', 'update'].some((name) => caller.where?.(`${type.uid}.${name}`) !== undefined);
  const allowed = hasRule ? context.limitOf(type, 'update', caller) : undefined;
  const ofOthers = allowed && all(filter, except(allowed));
  return ofPublished && ofOthers ? { kind: 'or', filters: [ofPublished, ofOthers] } : (ofPublished ?? ofOthers);
}

/** Entries whose link does not change are not among them. */
function changedEntries({ type, id, changes, shared, otherSides }: LinkedWrite): readonly ChangedEntries[] {
  return [
    ...changes.links.flatMap((links) => formerOwners(type, id, links)),
    ...otherSides.flatMap((change) => owners(type, id, change)),
    ...localizations(type, id, changes, shared),
  ];
}

/** The entry that loses the target of a one-to-one relation. */
function formerOwners(type: ContentType, id: number, { attribute, connect }: Links): readonly ChangedEntries[] {
  const taken = connect.at(-1);
  if (!isExclusive(attribute) || taken === undefined) return [];
  const filter = all(linksTo(attribute, taken.id), except(idIs(id)));
  return [{ type, attribute, by: attribute.name, filter }];
}

/** The entries that get a link to the written entry, and those that lose theirs. */
function owners(written: ContentType, id: number, change: OtherSide): readonly ChangedEntries[] {
  const { target: type, many, name: by } = change.attribute;
  const attribute = type.attributes.get(otherSideName(change.attribute));
  if (attribute === undefined) return [];
  const isLinked: Filter =
    attribute.kind === 'relation'
      ? linksTo(attribute, id)
      : { kind: 'refers', to: written, ids: [id], by: attribute.name };
  const [linked, replaces] = [linkedIds(change, many), replacesAll(change, many)];
  const isOwner = idIn(linked);
  const disconnected = replaces ? [] : [idIn(change.disconnect)];
  const added = { type, attribute, by, filter: all(isOwner, except(isLinked)) };
  const removed = { type, attribute, by, filter: all(isLinked, except(isOwner), ...disconnected) };
  const removes = replaces || change.disconnect.length > 0;
  return [...(linked.length > 0 ? [added] : []), ...(removes ? [removed] : [])];
}

/** The other localizations, where a shared value of theirs changes. */
function localizations(
  type: ContentType,
  id: number,
  { values, links }: LinkedWrite['changes'],
  shared: readonly string[],
): readonly ChangedEntries[] {
  const relation = type.attributes.get('localizations');
  if (shared.length === 0 || relation?.kind !== 'relation') return [];
  const joined = links.find(({ attribute }) => isLocalizations(attribute, type));
  const isMember = joined === undefined ? linksTo(relation, id) : idIn(joined.connect.map((link) => link.id));
  return shared.flatMap((by) => {
    const attribute = type.attributes.get(by);
    if (attribute === undefined) return [];
    // No condition compares components and files: they count as changed.
    const isChanged = attribute.kind === 'scalar' ? [differs(attribute, values.get(by))] : [];
    return [{ type, attribute, by, filter: all(isMember, ...isChanged) }];
  });
}

const differs = (field: ScalarAttribute, value: unknown): Filter =>
  value === undefined
    ? { kind: 'comparison', field, operator: '$notNull', operands: [] }
    : except({ kind: 'comparison', field, operator: '$eq', operands: [value as ScalarValue] });

const all = (...filters: readonly Filter[]): Filter => ({ kind: 'and', filters });
const except = (filter: Filter): Filter => ({ kind: 'except', filter });

/** Entries that store a link to this one. */
const linksTo = (attribute: RelationAttribute, id: number): Filter => ({
  kind: 'related',
  attribute,
  filter: idIs(id),
});
