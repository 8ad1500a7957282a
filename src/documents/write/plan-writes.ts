import { isLocalizations, isLocalized, sharedAttributes } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import { insertedEntry } from '../../mongo/read/inserted-entry.js';
import type { Targets } from '../../mongo/read/missing-targets.js';
import { otherSideName } from '../../mongo/stored/relation.js';
import { insertedDocument } from '../../mongo/write/change-entry.js';
import { idIn, withId, type Query } from '../../query/ast.js';
import { uniteIds } from '../../query/change.js';
import { plainEntry, type LazyEntry } from '../../query/entry-presenter.js';
import type {
  CopyUse,
  DependentWrite,
  EntryName,
  Links,
  MergedChanges,
  PrimaryWrite,
  StoredValue,
} from '../../query/mutation.js';
import { emptyQuery, type DocumentsContext, type EntryRequest } from '../context.js';
import type { HookedChange, WriteIdentity } from '../hooks.js';
import { first } from '../read.js';
import { assertMayChange, assertSharedAlike, type LinkedWrite } from './changed-entries.js';
import { assertPublishable } from './assert-publishable.js';
import { actionOf, receiptOf } from './sign-write.js';
import type { Conditions } from './conditional/conditions.js';
import { assertNotTaken } from './taken-values.js';
import type { Encoded, EncodedEntry } from './encode.js';

/** The written values of an entry, and the selection of its response. */
export interface EntryWrite {
  readonly encoded: EncodedEntry;
  /** Values in addition to the data. */
  readonly systemValues: ReadonlyMap<string, StoredValue | undefined>;
  /**
   * The attributes that a new entry was given, if hooks complete it: the others of a localization come from its group.
   */
  readonly givenAttributes?: ReadonlySet<string>;
  /** The attributes in the client's data, without those that hooks add. */
  readonly clientAttributes: ReadonlySet<string>;
  /** Of the write whose hooks have prepared it. */
  readonly identity: WriteIdentity;
  /** The id that code chooses for a new entry. */
  readonly chosenId?: number | undefined;
  /** Undefined: the entry is new. */
  readonly conditions?: Conditions;
  readonly query: Query;
  readonly request: EntryRequest;
  /** What it does with the working copy of the entry. Default: the copy follows the entry. */
  readonly copy?: CopyUse | undefined;
  /** It publishes the entry, all of which is checked. */
  readonly publishes?: boolean;
}

/** All writes of one entry: its own, those that follow from its relations, and those of plugins. */
export interface WritePlan {
  /** The write, as hooks see it. */
  readonly change: HookedChange;
  readonly primary: PrimaryWrite & { readonly kind: 'insert' | 'update' };
  readonly dependants: readonly DependentWrite[];
  /** As in Strapi v4, the response does not show them. */
  readonly deferred: readonly DependentWrite[];
  /** The new entry, if it can be shown without a read. */
  readonly inserted: LazyEntry | undefined;
  /** The query for the response that is read before the deferred writes. */
  readonly response: Query | undefined;
  /** Entries that must exist after the write. */
  readonly targets: Targets;
  /** Checks that the caller may change the other entries. @throws AppError validation */
  readonly check: (merged: MergedChanges) => Promise<void>;
}

/** The numbers of a written entry. */
export interface EntryNumbers {
  readonly id: number;
  readonly isNew: boolean;
  /** The rank of its new links: each is in the order of another entry. */
  readonly rank: number;
}

/** @throws AppError validation, invalidValue, invalidParameter, tooCostly, and what hooks throw */
export async function planWrites(
  context: DocumentsContext,
  type: ContentType,
  { id, isNew, rank }: EntryNumbers,
  write: EntryWrite,
): Promise<WritePlan> {
  const { encoded, systemValues, query, clientAttributes, request, publishes = false } = write;
  const { caller, limitedBy = caller } = request;
  const { merges, links, otherSides, targets } = encoded;
  const documentId = isNew ? await newDocumentId(context, type, id, encoded) : [];
  const values = new Map([...encoded.values, ...systemValues, ...documentId]);
  const changes = { values, merges, links, rank };
  const shared = sharedNames(type, write, isNew);
  const copy = write.copy === 'hold' && shared.length === 0 ? undefined : write.copy;
  const check = async (merged: MergedChanges): Promise<void> => {
    await assertMayChange(
      context,
      [{ type, id, changes, shared, otherSides, written: clientAttributes }, mergedWrite(type, id, merged, shared)],
      // What waits in a copy is published by somebody else.
      { caller: limitedBy, isPublished: copy !== 'save' && copy !== 'hold' },
    );
    if (isNew && request.status === 'draft') await assertSharedAlike(context, { type, id, changes, shared });
    if (copy === 'save') await assertNotTaken(context, type, encoded, id);
    if (publishes) await assertPublishable(context, type, id, encoded.input);
  };
  if (context.isDryRun === true) await check({ shared: new Map(), taken: [] });
  const action = isNew ? 'create' : 'update';
  const change = { ...write.identity, action, type, id, values, links, shared } as const;
  const receipt = receiptOf(context, type, request, { ...change, action: actionOf(change, copy), encoded });
  // What follows from a copy does so when it is published.
  const following = copy === 'save' ? [] : await context.hooks.follow(change);
  const isNewDraft = isNew && request.status === 'draft';
  const deferred = isNewDraft ? following.map(sparingPublished) : following;
  const document = isNew ? insertedDocument(type, id, changes) : undefined;
  // A new entry may need no read.
  const inserted = document && insertedEntry(query, document);
  // Nothing may refuse the response once the write is done.
  if (inserted === undefined) context.store.assertReadable({ query: first(query), id });
  return {
    change,
    primary:
      document === undefined
        ? { kind: 'update', type, id, changes, copy, receipt }
        : { kind: 'insert', type, id, document, receipt },
    dependants: otherSideWrites({ type, id }, encoded),
    deferred,
    inserted,
    response: deferred.length > 0 && inserted === undefined ? first(withId(query, id)) : undefined,
    targets: targets.size > 0 ? uniteIds([targets, new Map([[type, new Set([id])]])]) : targets,
    check,
  };
}

/** A new draft does not change what is published. */
const sparingPublished = (write: DependentWrite): DependentWrite =>
  write.kind === 'share' ? { ...write, sparesPublished: true } : write;

/** What the copy of an entry changes in others, as a write of it; not what the write itself decides. */
function mergedWrite(
  type: ContentType,
  id: number,
  { shared, taken }: MergedChanges,
  written: readonly string[],
): LinkedWrite {
  const values = new Map([...shared].filter(([name]) => !written.includes(name)));
  const links = taken.map(({ attribute, id: target }): Links => ({
    attribute,
    replaces: true,
    disconnect: [],
    connect: [{ id: target, position: { at: 'end' } }],
  }));
  const changes = { values, links };
  return { type, id, changes, shared: [...values.keys()], otherSides: [], written: 'copy' };
}

/** The `documentId` of a new entry: its own, or that of the localizations that it joins. */
async function newDocumentId(
  { store }: DocumentsContext,
  type: ContentType,
  id: number,
  { links }: Encoded,
): Promise<readonly (readonly [string, string])[]> {
  const { documentId: field } = type;
  if (field === undefined) return [];
  const joined = links.flatMap(({ attribute, connect }) => (isLocalizations(attribute, type) ? connect : []));
  const members = joined.map((member) => member.id);
  const query = { ...emptyQuery(type), fields: [field], filter: idIn(members) };
  const stored = members.length === 0 ? [] : (await store.find(first(query))).entries;
  const { documentId } = (stored[0]?.(plainEntry) ?? {}) as { readonly documentId?: string | null };
  return [[field.name, documentId ?? (await store.documentIds.derive(type, Math.min(id, ...members)))]];
}

/** The writes of the entries that store the other sides of the relations of an entry. */
const otherSideWrites = (target: EntryName, { otherSides }: Encoded): readonly DependentWrite[] =>
  otherSides.flatMap(({ attribute: side, ...change }): readonly DependentWrite[] => {
    const { target: type, many } = side;
    const attribute = type.attributes.get(otherSideName(side));
    const changesSomething = change.replaces || change.connect.length > 0 || change.disconnect.length > 0;
    const isOwner = attribute?.kind === 'relation' || attribute?.kind === 'morph';
    return changesSomething && isOwner ? [{ kind: 'owners', type, attribute, target, many, change }] : [];
  });

/** The shared values to write to all localizations; a new entry without localizations has none. */
function sharedNames(type: ContentType, { encoded, givenAttributes }: EntryWrite, isNew: boolean): readonly string[] {
  const { links, values, merges } = encoded;
  if (!isLocalized(type) || (isNew && !links.some(({ attribute }) => isLocalizations(attribute, type)))) return [];
  const isGiven = (name: string): boolean => givenAttributes === undefined || givenAttributes.has(name);
  return sharedAttributes(type).flatMap(({ name }) =>
    (values.has(name) || merges.has(name)) && isGiven(name) ? [name] : [],
  );
}
