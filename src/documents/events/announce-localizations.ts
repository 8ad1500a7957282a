import { isLocalizations, isLocalized, isShared } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import { withId, type Selection } from '../../query/ast.js';
import { plainEntry } from '../../query/entry-presenter.js';
import { parseSelection } from '../../query/parse/parse-query.js';
import { emptyQuery, type DocumentsContext, type EntryRequest } from '../context.js';
import { first } from '../read.js';
import { announceOwn, selectionOf } from './announcement.js';

/**
 * Announces the other localizations of an entry, after a write has changed their shared values. As recorded, Strapi sends an event for each
 * of them only if the response shows the localizations and a shared value.
 * @param hasShared whether shared values were written
 */
export async function announceLocalizations(
  { store, audiences }: DocumentsContext,
  type: ContentType,
  id: number,
  { event, selection }: Pick<EntryRequest, 'event' | 'selection'>,
  hasShared: boolean,
): Promise<void> {
  if (!isLocalized(type)) return;
  const names = event === 'response' && showsShared(type, selection) ? ['entry.update'] : [];
  if (names.length === 0 && !hasShared) return;
  const populate = { populate: { localizations: { fields: ['id'] } } };
  const links = parseSelection({ ...populate, fields: ['id'] }, type, 'internal', { populateLimit: 1 });
  const read = async (selected: Selection, id: number) =>
    (await store.find(first(withId({ ...emptyQuery(type), ...selected }, id)))).entries[0]?.(plainEntry);
  const entry = (await read(links, id)) as { readonly localizations?: readonly { readonly id: number }[] } | undefined;
  for (const other of entry?.localizations ?? []) {
    const announcement = announceOwn(audiences, { type, action: 'update', names });
    await announcement?.record(other.id, undefined);
    await announcement?.confirm();
    await announcement?.complete(names.length === 0 ? undefined : await read(selectionOf(type), other.id));
  }
}

const showsShared = (type: ContentType, { fields, populate }: Selection): boolean =>
  populate.some((node) => isLocalizations(node.attribute, type)) && fields.some(isShared);
