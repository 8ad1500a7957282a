import type { ContentType } from '../../content-types/types.js';
import type { Entries, Entry } from '../../documents/entries.js';
import { AppError } from '../../errors/app-error.js';

/** An entry with its localizations: the locales of one content. */
export interface Member extends Entry {
  readonly locale: string | null;
  /** The ids of the others that it knows. */
  readonly others: readonly number[];
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
  const inner = { fields, populate: { localizations: { fields: ['id'] } } };
  const entry = await entries.findOne(uid, id, { fields, populate: { localizations: inner } }).catch(explain);
  return [memberOf(entry), ...entriesIn(entry['localizations']).map(memberOf)];
}

const entriesIn = (value: unknown): readonly Entry[] => (Array.isArray(value) ? value : []);

const memberOf = ({ localizations, locale, ...entry }: Entry): Member => ({
  ...entry,
  locale: typeof locale === 'string' ? locale : null,
  others: entriesIn(localizations).map(({ id }) => id),
});

function explain(error: unknown): never {
  if (error instanceof AppError && error.code === 'notFound') throw new AppError('notFound', 'Entity not found');
  throw error;
}
