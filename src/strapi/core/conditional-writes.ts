import type { Response } from 'express';
import { tagOf } from '../../documents/response/response-body.js';
import { refuseDryRun } from '../../rest/conditional/dry-run.js';
import { refuseHeaders } from '../../rest/conditional/version-check.js';
import { isTagged } from '../../rest/response/send.js';
import { serializeJson } from '../../rest/response/serialize.js';
import type { CoreRequest } from './core-request.js';

/** The headers that guard a write. */
const headers: Readonly<Record<string, readonly string[]>> = {
  POST: ['Idempotency-Key', 'If-Match', 'If-None-Match'],
  PUT: ['If-Match', 'If-None-Match'],
  DELETE: ['If-Match', 'If-None-Match'],
};

/** A Koa context, or the request of a core action. */
type Writing = Pick<CoreRequest, 'method' | 'headers' | 'query'>;

/** Whether a request can have such a header, or be a dry run. */
export const isWrite = ({ method }: Pick<Writing, 'method'>): boolean => Object.hasOwn(headers, method);

const headersOf = ({ method }: Pick<Writing, 'method'>): readonly string[] => headers[method] ?? [];

/** Whether a request is a write with a condition, or a dry run. */
export const isConditional = (request: Writing): boolean =>
  isWrite(request) &&
  (request.query['dryRun'] !== undefined ||
    headersOf(request).some((name) => request.headers[name.toLowerCase()] !== undefined));

const REASON = 'code of the project executes this write';

/** Refuses a condition or a dry run that code of the project would ignore. @throws AppError badRequest */
export function refuseConditions(request: Writing): void {
  refuseHeaders(request.headers, headersOf(request), REASON);
  if (isWrite(request)) refuseDryRun(request.query, REASON);
}

/** Sets the `ETag` of an entry that is read, for a later `If-Match`. @param limit the maximum bytes of a response */
export function setTag({ response }: CoreRequest, answer: unknown, limit: number): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- messages are those of the service's application
  if (answer == null || response === undefined || !isTagged(response as Response)) return;
  response.setHeader('ETag', tagOf(serializeJson(answer, limit)));
}
