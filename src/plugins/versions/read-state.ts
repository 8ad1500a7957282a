import lodash from 'lodash';
import { isRecord, type Data } from '../../config/record.js';
import { isLocalized } from '../../content-types/model/localized.js';
import { localeNames } from '../../content-types/model/system-attributes.js';
import type { Attribute, Attributes, ContentType } from '../../content-types/model/types.js';
import { holdsComponents, mapComponents } from '../../content-types/model/walk.js';
import { system } from '../../documents/caller.js';
import type { Entry } from '../../documents/entries.js';
import { LAST_WRITER } from '../../documents/find-writers.js';
import { ifNotFound } from '../../errors/app-error.js';
import { isStoredInTarget } from '../../mongo/stored/relation.js';
import { plainEntry, type EntryPresenter } from '../../query/entry-presenter.js';
import { parseSelection } from '../../query/parse/parse-selection.js';
import type { PluginContext } from '../contract/plugin.js';
import { populateOf, writtenForm } from '../contract/written-form.js';

/** What an entry, or its working copy, is now. */
export interface State {
  readonly at: string;
  readonly writer: number | null;
  readonly published: string | null;
  /** The attributes that the working copy changes; null: it is the entry. */
  readonly changes: readonly string[] | null;
  /** Its values in the written form, with the ids of components. */
  readonly data: Data;
}

/** A morph relation to one entry names its type too. */
const presenter: EntryPresenter = { ...plainEntry, name: 'version', typed: true };

/**
 * What an entry is now; undefined if it does not exist. It is read as clients see it: private attributes and passwords
 * are in no version.
 * @param of `copy`: its working copy; undefined if it has none
 */
export async function readState(
  { documents, limits }: PluginContext,
  type: ContentType,
  id: number,
  of: 'entry' | 'copy' = 'entry',
): Promise<State | undefined> {
  if (of === 'copy' && type.copies === undefined) return undefined;
  const kept = [...type.attributes.values()].filter((attribute) => isKept(attribute, type));
  // What is populated follows from the definition, not from a request.
  const unlimited = { ...limits, populateLimit: Number.POSITIVE_INFINITY };
  const { fields, populate } = parseSelection({ populate: populateOf(kept) }, type, 'client', unlimited);
  const selection = { fields: [...fields, LAST_WRITER], populate };
  const request = { caller: system, presenter, selection, ...(of === 'copy' && { status: 'draft' as const }) };
  const reading = documents.readEntry(type, id, request, ({ page: { entries, copies } }) => {
    const [entry] = entries;
    return { entry: entry?.(presenter), changes: copies?.get(id) };
  });
  const { entry, changes } = (await reading.catch(ifNotFound(none))) as { entry?: Entry; changes?: readonly string[] };
  if (entry === undefined || (of === 'copy') !== (changes !== undefined)) return undefined;
  const values = kept.flatMap(({ name }) => (name in entry ? [[name, entry[name]] as const] : []));
  return {
    at: entry['updatedAt'] as string,
    writer: (entry[LAST_WRITER.name] as number | undefined) ?? null,
    published: type.draftAndPublish && changes === undefined ? (entry['publishedAt'] as string | null) : null,
    changes: changes?.toSorted() ?? null,
    data: writtenForm(Object.fromEntries(values), type.attributes, true),
  };
}

const none = {};

/**
 * What belongs to the entry and can be restored: not what other entries store, and not what a write keeps, its locale
 * and its localizations.
 */
function isKept(attribute: Attribute, type: ContentType): boolean {
  const { name, writable } = attribute;
  if (!writable || isStoredInTarget(attribute)) return false;
  return !(isLocalized(type) && localeNames.has(name)) && !(type.draftAndPublish && name === 'publishedAt');
}

/** Values in the written form without the ids of components: whether a write has made these anew is no difference. */
export const withoutIds = (values: Data, attributes: Attributes): Data =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, valueWithoutIds(value, attributes.get(name))]),
  );

function valueWithoutIds(value: unknown, attribute: Attribute | undefined): unknown {
  if (!holdsComponents(attribute) || value === null) return value;
  return mapComponents(value, attribute, (data, component) =>
    withoutIds(lodash.omit(data, 'id'), component.attributes),
  );
}

/** Whether two values of an attribute are the same. */
export const isSameValue = (value: unknown, other: unknown, attribute: Attribute | undefined): boolean =>
  textOf(valueWithoutIds(value, attribute)) === textOf(valueWithoutIds(other, attribute));

/** Whether two versions have the same values. */
export const isSameData = (data: Data, other: Data, { attributes }: ContentType): boolean =>
  [...new Set([...Object.keys(data), ...Object.keys(other)])].every((name) =>
    isSameValue(data[name], other[name], attributes.get(name)),
  );

/** An absent value is none; the order of keys is not part of a value, except in lists. */
const textOf = (value: unknown): string => JSON.stringify(value ?? null, sorted);

const sorted = (_: string, value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;
