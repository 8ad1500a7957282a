import type { ContentType } from '../../content-types/model/types.js';
import type { Entries, Entry } from '../../documents/entries.js';
import { AppError, hasCode } from '../../errors/app-error.js';

/** A localization in the form of a written relation. */
export interface Localization {
  readonly id: number;
  readonly locale: string | null;
}

/** An entry with its localizations. */
export interface Member extends Entry {
  readonly locale: string | null;
  /** Its linked localizations. */
  readonly others: readonly Localization[];
}

/**
 * Reads an entry and then its localizations, drafts included, with these attributes of each.
 * @throws AppError notFound
 */
export async function readGroup(
  entries: Entries,
  { uid }: ContentType,
  id: number,
  names: readonly string[],
): Promise<readonly [Member, ...Member[]]> {
  const fields = ['locale', ...names];
  const inner = { fields, populate: { localizations: { fields: ['locale'] } } };
  const entry = await entries.findOne(uid, id, { fields, populate: { localizations: inner } }).catch(explain);
  return [memberOf(entry), ...entriesIn(entry['localizations']).map(memberOf)];
}

const entriesIn = (value: unknown): readonly Entry[] => (Array.isArray(value) ? value : []);

const memberOf = ({ localizations, locale, ...entry }: Entry): Member => ({
  ...entry,
  locale: textOf(locale),
  others: entriesIn(localizations).map((other) => ({ id: other.id, locale: textOf(other['locale']) })),
});

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function explain(error: unknown): never {
  if (hasCode(error, 'notFound')) throw new AppError('notFound', 'Entity not found');
  throw error;
}
