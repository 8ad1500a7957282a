import { groupBy } from '../../../config/group-by.js';
import { StartError } from '../../../errors/start-error.js';
import { isLocalized, asksForLocales } from '../../../content-types/model/localized.js';
import type { Attribute, Component, ContentType, Registry } from '../../../content-types/model/types.js';
import { componentsBelow } from '../../../content-types/model/walk.js';
import { createIdSet, type IdSet } from '../../../mongo/maintenance/check/id-set.js';
import type { Workspace } from '../../../mongo/maintenance/import-workspace.js';
import { ownerKey, typeOfOwner, type StagedLink, type StagedLinks } from '../../../mongo/maintenance/staged-links.js';
import { usedSettings, type EntryItem, type LinkEnd, type LinkItem, type SchemaItem, type Source } from './source.js';
import type { Skipped } from './skipped.js';
import { createRowIndex, type StoredEntry } from './strapi/row-index.js';
import { generatedNames } from '../../../content-types/model/system-attributes.js';
import { compare, describeAttributes, describeDefinition, type Description } from './describe-attribute.js';

interface Scanning {
  readonly registry: Registry;
  readonly links: StagedLinks;
  readonly skipped: Skipped;
  /** Receives each difference between the source's schemas and the content types; throws if it is not accepted. */
  readonly differ: (differences: readonly string[]) => void;
  readonly onProgress: (bytes: number) => void;
  readonly workspace: Workspace;
  /** The entries of a type that are stored already. */
  readonly storedEntries: (type: ContentType) => AsyncIterable<StoredEntry>;
}

const BATCH = 5000;
/** Differences between schemas that are listed. */
const MOST_DIFFERENCES = 1000;

/**
 * Reads a source once: its schemas are compared, its entries counted, its links laid ready. Returns the facts that are
 * needed before writing.
 * @throws StartError if there was no schema
 */
export async function scanSource(
  source: Source,
  { registry, links, skipped, differ, onProgress, workspace, storedEntries }: Scanning,
) {
  /** The types that it defines, with or without entries. */
  const types = new Set<string>();
  /** Its entries, by type: one bit each. */
  const ids = new Map<string, IdSet>();
  /** For localized types: the entries of each locale. */
  const locales = new Map<string, Map<string, IdSet>>();
  /** Of Strapi 5: the entries without a published row. */
  const drafts = new Map<string, IdSet>();
  /** The highest ids and ranks, by type. */
  const last = new Map<string, { id: number; rank: number }>();
  /** The highest ids of components, by their uid. */
  const lastComponents = new Map<string, number>();
  const settings = new Map<string, unknown>();
  /** Strapi stores the permissions of API tokens as separate entries, this service in the token. */
  const permissions = new Map<number, string>();
  const permissionLinks: { readonly token: number; readonly permission: number }[] = [];
  /** Of Strapi 5: which rows are which entries. */
  const rows = createRowIndex();
  const batch: StagedLink[] = [];
  const differences: string[] = [];
  let moreDifferences = 0;
  const reportDifferences = (): void => {
    if (differences.length === 0) return;
    const more = moreDifferences === 0 ? [] : [`and ${moreDifferences} more`];
    moreDifferences = 0;
    differ([...differences.splice(0), ...more]);
  };

  const lastOf = (type: string): { id: number; rank: number } => {
    const found = last.get(type) ?? { id: 0, rank: 0 };
    last.set(type, found);
    return found;
  };
  const takeId = (type: ContentType, id: number, locale: unknown): void => {
    ids.set(type.uid, withId(ids.get(type.uid), id));
    if (isLocalized(type) && typeof locale === 'string') {
      const ofType = locales.get(type.uid) ?? new Map<string, IdSet>();
      locales.set(type.uid, ofType.set(locale, withId(ofType.get(locale), id)));
    }
    const highest = lastOf(type.uid);
    highest.id = Math.max(highest.id, id);
  };
  const takeEntry = ({ type, id, data }: EntryItem): void => {
    const contentType = registry.contentTypes.get(type);
    const { action, locale } = data;
    if (type === PERMISSION && typeof action === 'string') permissions.set(id, action);
    if (contentType === undefined) return skipped.skip(`an entry of ${type}`);
    if (!source.hasRows || !hasSeveralRows(contentType)) takeId(contentType, id, locale);
    else if (!rows.add(contentType, id, data))
      return skipped.skip(`a second row of ${type} for one documentId, locale and state`);
    for (const { data: part, component } of componentsBelow(data, contentType.attributes)) {
      const [partId, highest = 0] = [Number(part['id']), lastComponents.get(component.uid)];
      if (Number.isSafeInteger(partId)) lastComponents.set(component.uid, Math.max(highest, partId));
    }
  };
  const takeLink = async (item: LinkItem): Promise<void> => {
    const { left, right } = item;
    if (left.type === PERMISSION && left.field === 'token')
      permissionLinks.push({ token: right.id, permission: left.id });
    const link = placeLink(item, registry);
    if (link === undefined) return skipped.skip(`a link of ${left.type} ${left.field ?? ''}`);
    const owner = lastOf(typeOfOwner(link.owner));
    owner.rank = Math.max(owner.rank, link.rank);
    batch.push(link);
    if (batch.length >= BATCH) await links.add(batch.splice(0));
  };

  for await (const item of source.read(onProgress, workspace)) {
    if (item.kind !== 'schema') reportDifferences();
    switch (item.kind) {
      case 'schema':
        types.add(item.uid);
        for (const line of compareSchema(item, registry)) {
          if (differences.length < MOST_DIFFERENCES) differences.push(line);
          else moreDifferences += 1;
        }
        break;
      case 'entry':
        takeEntry(item);
        break;
      case 'link':
        await takeLink(item);
        break;
      case 'setting':
        if (usedSettings.has(item.key)) settings.set(item.key, item.value);
        break;
      case 'broken':
        skipped.add({ ...item.where, type: '', path: '', rule: item.rule });
        break;
      case 'file':
        break;
      default:
        item satisfies never;
    }
  }
  reportDifferences();
  await links.add(batch);
  if (types.size === 0) throw new StartError('There is nothing to import: the source contains no schemas');
  for (const type of rows.types())
    for (const { id, locale, isDraft } of await rows.number(type, storedEntries(type))) {
      takeId(type, id, locale);
      if (isDraft) drafts.set(type.uid, withId(drafts.get(type.uid), id));
    }
  /** The permissions of each API token. */
  const tokenActions: ReadonlyMap<number, readonly string[]> = new Map(
    [...groupBy(permissionLinks, ({ token }) => token)].map(([token, owned]) => [
      token,
      owned.flatMap(({ permission }) => permissions.get(permission) ?? []),
    ]),
  );
  return { types, ids, locales, last, lastComponents, settings, tokenActions, rows, drafts };
}

function withId(set: IdSet | undefined, id: number): IdSet {
  const added = set ?? createIdSet();
  added.add(id);
  return added;
}

/** Whether rows of Strapi 5 can be several of one document. Those of other types are entries by themselves. */
const hasSeveralRows = (type: ContentType): boolean => type.draftAndPublish || isLocalized(type);

export type Scan = Awaited<ReturnType<typeof scanSource>>;

/** The entry or component that owns a link, and the path; undefined if no attribute here does. */
function placeLink({ left, right }: LinkItem, registry: Registry): StagedLink | undefined {
  const onLeft = attributeOf(left, registry);
  if (onLeft?.kind === 'morph') return stage(left, right, right.place);
  if (onLeft?.kind === 'relation' && onLeft.side === 'owner') return stage(left, right, left.place);
  const onRight = attributeOf(right, registry);
  // Strapi keeps media on the side of the file.
  if (onRight?.kind === 'relation' && onRight.side === 'owner') return stage(right, left, right.place);
  return undefined;
}

const stage = (owner: LinkEnd, target: LinkEnd, position = 0): StagedLink => ({
  owner: ownerKey(owner.type, owner.id),
  field: owner.field ?? '',
  place: position,
  type: target.type,
  id: target.id,
  rank: target.place ?? 0,
});

const attributeOf = ({ type, field = '' }: LinkEnd, { contentTypes, components }: Registry): Attribute | undefined =>
  (contentTypes.get(type) ?? components.get(type))?.attributes.get(field);

const PERMISSION = 'admin::api-token-permission';

/** Attributes of Strapi's own types that this service does without. */
const without: Readonly<Record<string, readonly string[]>> = {
  'plugin::upload.file': ['related'],
};

/** Types of Strapi itself belong to its admin panel and its plugins. */
const isOwners = (uid: string): boolean => !/^(?:admin|plugin|strapi)::/.test(uid);

/**
 * Compares a type or component of the source with this project: a line for each missing or different attribute.
 * Attributes that exist only in this project stay empty.
 */
function compareSchema({ uid, component, definition }: SchemaItem, registry: Registry): readonly string[] {
  const current: ContentType | Component | undefined = (component ? registry.components : registry.contentTypes).get(
    uid,
  );
  if (current === undefined) {
    return isOwners(uid) ? [`${uid} is not a ${component ? 'component' : 'content type'} in this project`] : [];
  }
  if (uid.startsWith('admin::')) return [];
  const absent = without[uid] ?? [];
  const declared = Object.entries(definition.attributes)
    .filter(([name]) => !generatedNames.has(name) && !absent.includes(name))
    .map(([name, attribute]) => {
      // Strapi 5 declares as long texts some strings of its own types.
      const { type } = attribute;
      return [
        name,
        describeDefinition(!isOwners(uid) && type === 'text' ? { ...attribute, type: 'string' } : attribute),
      ] as const;
    });
  const { kind = 'collectionType', options, pluginOptions = {} } = definition;
  const frame = { kind, draftAndPublish: options?.draftAndPublish ?? false, pluginOptions };
  return [
    ...(current.kind === 'component' ? [] : compare(uid, describeFrame(frame), describeFrame(current), 'source')),
    ...compare(uid, Object.fromEntries(declared), describeAttributes(current), 'source'),
  ];
}

const describeFrame = (type: Pick<ContentType, 'kind' | 'draftAndPublish' | 'pluginOptions'>): Description => ({
  kind: type.kind,
  draftAndPublish: String(type.draftAndPublish),
  localized: String(asksForLocales(type.pluginOptions)),
});
