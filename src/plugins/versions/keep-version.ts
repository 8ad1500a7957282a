import { isLocalized } from '../../content-types/model/localized.js';
import { localeNames } from '../../content-types/model/system-attributes.js';
import type { Attribute, ContentType } from '../../content-types/model/types.js';
import { system } from '../../documents/caller.js';
import type { Entry } from '../../documents/entries.js';
import { LAST_WRITER } from '../../documents/find-writers.js';
import { ifNotFound } from '../../errors/app-error.js';
import { isStoredInTarget } from '../../mongo/stored/relation.js';
import { idIn } from '../../query/ast.js';
import { plainEntry, type EntryPresenter } from '../../query/entry-presenter.js';
import { parseSelection } from '../../query/parse/parse-selection.js';
import type { PluginContext } from '../contract/plugin.js';
import { populateOf, writtenForm } from '../contract/written-form.js';
import { version } from './definition.js';

/** The length of a version as JSON: larger entries get none. */
const MAX_CHARACTERS = 1_000_000;

/** The order of versions: writes that end at the same time may store theirs in another one. */
export const NEWEST_FIRST = ['at:desc', 'id:desc'];

/** The condition for the versions of an entry. */
export const versionsOf = ({ uid }: ContentType, id: number) => ({ of: uid, entry: id });

/**
 * Stores what an entry is now, unless its newest version is the same, and removes the versions that are too many; all of them if there is no such
 * entry. Two writes that end at the same time may each store the state after both. @throws AppError unavailable
 */
export async function keepVersion(context: PluginContext, keep: number, type: ContentType, id: number): Promise<void> {
  const { documents, entries } = context;
  const filters = versionsOf(type, id);
  const state = await readState(context, type, id);
  if (state === undefined) return removeVersions(context, type, id);
  const newest = await entries.findFirst(version.uid, { filters, sort: NEWEST_FIRST });
  const text = JSON.stringify(state.data);
  const isSame = ({ published, data }: Entry): boolean =>
    published === state.published && JSON.stringify(data) === text;
  if ((newest !== undefined && isSame(newest)) || text.length > MAX_CHARACTERS) return;
  const request = {
    caller: system,
    presenter: plainEntry,
    selection: { fields: [], populate: [] },
    event: 'none',
  } as const;
  // The values are valid where they come from, and nest deeper here: checked again, they could be refused.
  await documents.create(typeOfVersions(context), { ...filters, ...state }, request, { raw: true });
  // Who deleted the entry after it was read has removed only the versions before this one.
  const isThere = (await documents.visibleIds(type, [id], system)).length > 0;
  await removeVersions(context, type, id, isThere ? keep : 0);
}

/** Stores what an entry is before a change, if it has no version: it was written before there were versions. If that fails, the change goes on. */
export async function keepFirst(context: PluginContext, keep: number, type: ContentType, id: number): Promise<void> {
  try {
    const found = await context.entries.findFirst(version.uid, { filters: versionsOf(type, id), fields: ['id'] });
    if (found === undefined) await keepVersion(context, keep, type, id);
  } catch (error) {
    context.log.error({ err: error, uid: type.uid, id }, 'The first version of an entry could not be stored');
  }
}

const typeOfVersions = ({ registry }: PluginContext): ContentType =>
  registry.contentTypes.get(version.uid) as ContentType;

/** Removes the versions of an entry but the newest ones. */
async function removeVersions(context: PluginContext, type: ContentType, id: number, keep = 0): Promise<void> {
  const { documents, entries } = context;
  const pagination = { start: keep, limit: -1 };
  const params = { filters: versionsOf(type, id), sort: NEWEST_FIRST, pagination, fields: ['id'] };
  const surplus = (await entries.findMany(version.uid, params)).map((one) => one.id);
  if (surplus.length === 0) return;
  const selection = { fields: [], populate: [] };
  const request = { caller: system, presenter: plainEntry, selection };
  await documents.deleteMany(typeOfVersions(context), idIn(surplus), request);
}

/** A morph relation to one entry names its type too. */
const presenter: EntryPresenter = { ...plainEntry, name: 'version', typed: true };

/** An entry with its last writer; undefined if it does not exist. It is read as clients see it: private attributes and passwords are in no version. */
async function readState({ documents, limits }: PluginContext, type: ContentType, id: number) {
  const kept = [...type.attributes.values()].filter((attribute) => isKept(attribute, type));
  // What is populated follows from the definition, not from a request.
  const unlimited = { ...limits, populateLimit: Number.POSITIVE_INFINITY };
  const { fields, populate } = parseSelection({ populate: populateOf(kept) }, type, 'client', unlimited);
  const selection = { fields: [...fields, LAST_WRITER], populate };
  const reading = documents.readEntry(type, id, { caller: system, presenter, selection });
  const entry = (await reading.catch(ifNotFound(undefined))) as Entry | undefined;
  if (entry === undefined) return undefined;
  const values = kept.flatMap(({ name }) => (name in entry ? [[name, entry[name]] as const] : []));
  return {
    at: entry['updatedAt'],
    writer: entry[LAST_WRITER.name] ?? null,
    published: type.draftAndPublish ? entry['publishedAt'] : null,
    data: writtenForm(Object.fromEntries(values), type.attributes),
  };
}

/** What belongs to the entry and can be restored: not what other entries store, and not what a write keeps, its locale and its localizations. */
function isKept(attribute: Attribute, type: ContentType): boolean {
  const { name, writable } = attribute;
  if (!writable || isStoredInTarget(attribute)) return false;
  return !(isLocalized(type) && localeNames.has(name)) && !(type.draftAndPublish && name === 'publishedAt');
}
