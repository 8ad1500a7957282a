import type { Data } from '../../config/record.js';
import { isLocalized } from '../../content-types/model/localized.js';
import { localeNames } from '../../content-types/model/system-attributes.js';
import type { Attribute, ContentType } from '../../content-types/model/types.js';
import { system } from '../../documents/caller.js';
import type { Entry } from '../../documents/entries.js';
import { LAST_WRITER } from '../../documents/find-writers.js';
import { ifNotFound } from '../../errors/app-error.js';
import { isStoredInTarget } from '../../mongo/stored/relation.js';
import { plainEntry, type EntryPresenter } from '../../query/entry-presenter.js';
import { parseSelection } from '../../query/parse/parse-selection.js';
import type { PluginContext } from './plugin-context.js';
import { populateOf, writtenForm } from './written-form.js';

/** What an entry, or its working copy, is at one time: all that was read together. */
export interface State {
  /** When it was written last. */
  readonly at: string;
  /** The id of the user who wrote it last; null: it was no user. */
  readonly writer: number | null;
  /** When it was published; null: it is a draft, or a working copy. */
  readonly published: string | null;
  /** The attributes that the working copy changes; null: it is the entry. */
  readonly changes: readonly string[] | null;
  /** What belongs to it, as a request would write it, with the ids of components. */
  readonly data: Data;
}

/** A morph relation to one entry names its type too. */
const presenter: EntryPresenter = { ...plainEntry, name: 'state', typed: true };

/**
 * What an entry is now, for whoever keeps, compares or sends states of entries; undefined if it does not exist. It has
 * all rights and is read as clients see it: no private attributes and no passwords.
 * @param of `copy`: its working copy; undefined if it has none
 */
export async function readState(
  { documents, limits }: Pick<PluginContext, 'documents' | 'limits'>,
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
