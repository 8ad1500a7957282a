import type { ContentType } from '../../content-types/model/types.js';
import type { StoredValue } from '../../query/mutation.js';
import type { DocumentsContext } from '../context.js';
import { isDraft } from '../read.js';

/**
 * The name of the event of a write that publishes or unpublishes an entry, where the service is configured to send it: over REST
 * Strapi v4 sends `entry.update` alone.
 * @throws AppError notFound
 */
export async function publicationEvents(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  values: ReadonlyMap<string, StoredValue | undefined>,
): Promise<readonly string[]> {
  if (!context.audiences.publication || !type.draftAndPublish || !values.has('publishedAt')) return [];
  const willBeDraft = values.get('publishedAt') === undefined;
  if ((await isDraft(context, type, id)) === willBeDraft) return [];
  return [willBeDraft ? 'entry.unpublish' : 'entry.publish'];
}
