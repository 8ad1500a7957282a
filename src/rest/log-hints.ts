import { queryOf } from '../calls/query-string.js';
import type { Documents } from '../documents/documents.js';
import { draftsAction } from '../documents/hide-drafts.js';
import type { Logger } from '../errors/logger.js';
import type { ContentRequest } from '../plugins/contract/content-api.js';
import { bodyOfForm } from '../plugins/contract/forms.js';
import { hintsOf, hintsOfData } from '../query/hints.js';
import { requestIdOf } from './request-id.js';

type Log = Pick<Logger, 'info'>;

/**
 * Names the parameters of a query that have no effect, because of a wrong name or a missing permission, or are refused.
 * @throws AppError tooCostly
 */
export function logHints(
  { request, response, type, caller }: ContentRequest,
  { log, documents }: { readonly log: Log; readonly documents: Pick<Documents, 'hidesDrafts'> },
): void {
  const query = queryOf(request);
  const tell = (line: string): void =>
    log.info({ id: requestIdOf(response) }, `${request.method} ${request.path}: ${line}`);
  const hints = hintsOf(query, type);
  if (hints.length > 0) tell(`unknown ${hints.join(' ')}`);
  if (query['publicationState'] === 'preview' && documents.hidesDrafts(type, caller))
    tell(`publicationState=preview without drafts: the caller lacks the permission ${draftsAction(type)}`);
}

/** Names the keys of written data that no attribute has: as in Strapi v4 they are left out without an error. */
export function logDataHints({ request, response, type, form }: ContentRequest, log: Log): void {
  const body = (form === undefined ? request.body : bodyOfForm(form)) as { readonly data?: unknown } | undefined;
  const hints = hintsOfData(
    body?.data,
    type,
    form?.files.map(({ field }) => field),
  );
  if (hints.length > 0)
    log.info(
      { id: requestIdOf(response) },
      `${request.method} ${request.path}: unknown and not stored: ${hints.join(' ')}`,
    );
}
