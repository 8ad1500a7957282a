import { isAbsent, isRecord, type Data } from '../../config/record.js';
import { isLocalized, sharedAttributes } from '../../content-types/model/localized.js';
import type { Attribute, ScalarAttribute, ContentType } from '../../content-types/model/types.js';
import type { ScalarValue } from '../../content-types/model/attribute-types.js';
import type { HookedChange, DocumentHooks } from '../../documents/hooks.js';
import { copiedData, copyPopulate } from '../../documents/copied-data.js';
import type { Documents } from '../../documents/documents.js';
import type { Entries, Entry } from '../../documents/entries.js';
import { taken } from '../../documents/write/taken-values.js';
import { AppError, asNotFound } from '../../errors/app-error.js';
import { id as idField, isScalar, type Comparison } from '../../query/ast.js';
import type { Locales } from './locales.js';

interface HookContext {
  readonly documents: Documents;
  readonly entries: Entries;
  readonly locales: Locales;
}

/** The localizations to which a new entry is linked. */
const joinedBy = ({ action, links }: HookedChange): readonly number[] => {
  const joined = action === 'create' ? links.find(({ attribute }) => attribute.name === 'localizations') : undefined;
  return joined?.connect.map(({ id }) => id) ?? [];
};

/**
 * The writes to other localizations that accompany a write: a new one is linked to them, and all have the same of the
 * values that they share.
 * @throws AppError notFound; validation for a unique value that a localization cannot have
 */
export const followLocalized =
  (context: () => HookContext): NonNullable<DocumentHooks['follow']> =>
  async (change) => {
    const { type, id, shared: written } = change;
    if (!isLocalized(type)) return [];
    const joined = joinedBy(change);
    if (joined.length === 0 && written.length === 0) return [];
    const attributes = sharedAttributes(type);
    const unique = attributes.filter(isScalar).filter(({ unique, name }) => unique && written.includes(name));
    await refuseTaken(context(), change, unique, joined[0] ?? id);
    const at = change.values.get('updatedAt') as Date;
    return [{ kind: 'share', type, id, written, joined, shared: attributes.map(({ name }) => name), at }];
  };

/** Refuse before the first write what a later one could not do. */
async function refuseTaken(
  { documents, entries }: HookContext,
  { type, id, values }: HookedChange,
  unique: readonly ScalarAttribute[],
  member: number,
): Promise<void> {
  const locale = type.attributes.get('locale');
  const written = unique.filter(({ name }) => values.get(name) !== undefined);
  if (locale?.kind !== 'scalar' || written.length === 0) return;
  const otherMembers = (await readGroup(entries, type, member, [])).filter((entry) => entry.id !== id);
  if (otherMembers.length === 0) return;
  const locales = otherMembers.flatMap((other) => other.locale ?? []);
  for (const field of written) {
    const conditions: readonly Comparison[] = [
      { kind: 'comparison', field, operator: '$eq', operands: [values.get(field.name) as ScalarValue] },
      { kind: 'comparison', field: locale, operator: '$in', operands: locales },
      { kind: 'comparison', field: idField, operator: '$notIn', operands: otherMembers.map((other) => other.id) },
    ];
    if ((await documents.count(type, { kind: 'and', filters: conditions })) === 0) continue;
    throw new AppError('validation', [taken([field.name])]);
  }
}

/**
 * Sets the locale of a new entry; an existing one keeps its locale, whatever is written. A localization of another
 * entry joins it and gets the values that they share; project code may name that entry in `localizations`. What it
 * passes on of a client names no locale: then the entry joins only if the default locale is free there.
 * @throws AppError application, notFound
 */
export const prepareLocalized =
  (context: () => HookContext): NonNullable<DocumentHooks['prepare']> =>
  async (data, { action, type, caller, localizationOf }) => {
    if (!isLocalized(type)) return data;
    const { locale, localizations, ...rest } = data;
    if (action === 'update') return rest;
    const { entries, locales } = context();
    const shared = sharedAttributes(type);
    if (localizationOf !== undefined)
      return joinGroup(
        await readGroup(entries, type, localizationOf, shared),
        { ...rest, locale },
        { shared, locales },
      );
    const code = locale ?? locales.default;
    if (!isCode(code, locales.codes)) throw new AppError('application', "This locale doesn't exist");
    const own = { ...rest, locale: code };
    const named = caller.kind === 'system' ? [localizations ?? []].flat()[0] : undefined;
    if (named === undefined) return own;
    const group = await readGroup(entries, type, idOf(named), shared);
    const isFree = group.every((member) => member.locale !== code);
    return isFree || !isAbsent(locale) ? joinGroup(group, own, { shared, locales }) : own;
  };

const idOf = (named: unknown): number => Number(isRecord(named) ? named['id'] : named);

const isCode = (code: unknown, codes: ReadonlySet<string>): boolean => typeof code === 'string' && codes.has(code);

/** The data of a new localization. @throws AppError application */
function joinGroup(
  group: readonly [Member, ...Member[]],
  data: Data,
  { shared, locales }: { readonly shared: readonly Attribute[]; readonly locales: Locales },
): Data {
  const { locale } = data;
  if (locale === undefined || locale === null) throw new AppError('application', 'locale is missing');
  if (!isCode(locale, locales.codes)) throw new AppError('application', 'locale is invalid');
  if (group.some((member) => member.locale === locale)) throw new AppError('localeTaken');
  const values = copiedData(group[0], new Map(shared.map((attribute) => [attribute.name, attribute])));
  return { ...values, ...data, localizations: group.map(({ id: other, locale: its }) => ({ id: other, locale: its })) };
}

/** An entry with its locale. */
interface Member extends Entry {
  readonly locale: string | null;
}

/**
 * Reads an entry, with these attributes, and then its localizations, drafts included.
 * @throws AppError notFound
 */
async function readGroup(
  entries: Entries,
  { uid }: ContentType,
  id: number,
  attributes: readonly Attribute[],
): Promise<readonly [Member, ...Member[]]> {
  const fields = ['locale', ...attributes.filter(isScalar).map(({ name }) => name)];
  const parts = copyPopulate(new Map(attributes.map((attribute) => [attribute.name, attribute])));
  const entry = await entries
    .findOne(uid, id, { fields, populate: { ...parts, localizations: { fields: ['locale'] } } })
    .catch(asNotFound('Entity not found'));
  const { localizations, ...first } = entry as Member & { readonly localizations: readonly Member[] };
  return [first, ...localizations];
}
