import type { Response } from 'express';
import { tagOf } from '../../documents/response/response-body.js';
import { refuseDryRun } from '../../rest/conditional/dry-run.js';
import { refuseHeaders } from '../../rest/conditional/version-check.js';
import { isTagged } from '../../rest/response/send.js';
import { serializeJson } from '../../rest/response/serialize.js';
import type { CoreRequest } from './core-request.js';

/** The headers that guard a write. */
const headers = ['Idempotency-Key', 'If-Match', 'If-None-Match'];
const methods: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE']);

/** A Koa context, or the request of a core action. */
type Writing = Pick<CoreRequest, 'method' | 'headers' | 'query'>;

/** Whether a request can have such a header, or be a dry run. */
export const isWrite = ({ method }: Pick<Writing, 'method'>): boolean => methods.has(method);

/** Whether a request is a write with a condition, or a dry run. */
export const isConditional = (request: Writing): boolean =>
  isWrite(request) &&
  (request.query['dryRun'] !== undefined || headers.some((name) => request.headers[name.toLowerCase()] !== undefined));

const REASON = 'code of the project executes this write';

/** Refuses a condition or a dry run that code of the project would ignore. @throws AppError badRequest */
export function refuseConditions(request: Writing): void {
  if (!isWrite(request)) return;
  refuseHeaders(request.headers, headers, REASON);
  refuseDryRun(request.query, REASON);
}

/** Sets the `ETag` of an entry that is read, for a later `If-Match`. @param limit the maximum bytes of a response */
export function setTag({ response }: CoreRequest, answer: unknown, limit: number): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- messages are those of the service's application
  if (answer == null || response === undefined || !isTagged(response as Response)) return;
  response.setHeader('ETag', tagOf(serializeJson(answer, limit)));
}
