import { isListed, titleAttribute, type ContentType } from '../schema.js';
import { linkFields } from '../selection.js';
import { sortOf } from '../lists/list-state.js';

/** How many entries of a type are found at most. */
export const MAX_FOUND = 5;
/** How many letters a search needs. */
export const MIN_LETTERS = 2;

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();

/** How well a label fits what is typed: 0 begins with it, 1 has all its words; undefined does not fit. */
export function fitOf(label: string, text: string): number | undefined {
  const [within, wanted] = [plain(label), plain(text).trim()];
  if (within.startsWith(wanted)) return 0;
  return wanted.split(/\s+/).every((word) => within.includes(word)) ? 1 : undefined;
}

/** What fits what is typed, the best first. */
export const fitting = <T>(all: readonly T[], text: string, labelOf: (one: T) => string): readonly T[] =>
  all
    .flatMap((one) => {
      const fit = fitOf(labelOf(one), text);
      return fit === undefined ? [] : [{ one, fit }];
    })
    .toSorted((left, right) => left.fit - right.fit)
    .map(({ one }) => one);

/** The types whose entries are found by their titles. */
export const searchedTypes = (types: readonly ContentType[]): readonly ContentType[] =>
  types.filter(
    (type) =>
      type.kind === 'collectionType' &&
      isListed(type) &&
      type.actions.includes('find') &&
      titleAttribute(type) !== undefined,
  );

/** The query for the entries of a type whose title contains a text, in all locales, the latest change first. */
export function foundQuery(type: ContentType, text: string): object {
  const title = titleAttribute(type)?.name ?? 'id';
  const { fields } = linkFields(type);
  return {
    fields: [...fields, ...(type.localized ? ['locale'] : [])],
    filters: { [title]: { $containsi: text } },
    sort: sortOf(type),
    ...(type.draftAndPublish && { publicationState: 'preview' }),
    ...(type.localized && { locale: 'all' }),
    ...(type.plain ? { limit: MAX_FOUND } : { pagination: { pageSize: MAX_FOUND, withCount: false } }),
  };
}

/** What was found by a text, by the uid of the type. */
export interface Found<T> {
  readonly text: string;
  readonly entries: ReadonlyMap<string, readonly T[]>;
}

/**
 * What is known of a type before it is asked: where a shorter text found fewer entries than a search returns, those
 * that fit a longer one are among them.
 * @returns undefined if it has to be asked
 */
export function knownOf<T>(
  former: Found<T> | undefined,
  { uid }: ContentType,
  text: string,
  titleOf: (entry: T) => string,
): readonly T[] | undefined {
  const entries = former?.entries.get(uid);
  if (former === undefined || entries === undefined || entries.length >= MAX_FOUND) return undefined;
  const wanted = text.toLowerCase();
  if (!wanted.includes(former.text.toLowerCase())) return undefined;
  return entries.filter((entry) => titleOf(entry).toLowerCase().includes(wanted));
}
