import type { Response } from 'express';
import type { Context } from 'koa';
import { tagOf } from '../../documents/response/response-cache.js';
import { refuseDryRun } from '../../rest/conditional/dry-run.js';
import { refuseHeaders } from '../../rest/conditional/version-check.js';
import { isTagged } from '../../rest/response/send.js';
import { serializeJson } from '../../rest/response/serialize.js';

/** The headers that guard a write. */
const headers: Readonly<Record<string, readonly string[]>> = {
  POST: ['Idempotency-Key', 'If-Match', 'If-None-Match'],
  PUT: ['If-Match', 'If-None-Match'],
  DELETE: ['If-Match', 'If-None-Match'],
};

/** Whether a request can have such a header, or be a dry run. */
export const isWrite = ({ method }: Context): boolean => Object.hasOwn(headers, method);

const headersOf = ({ method }: Context): readonly string[] => headers[method] ?? [];

/** Whether a request is a write with a condition, or a dry run. */
export const isConditional = (context: Context): boolean =>
  isWrite(context) &&
  (context.query['dryRun'] !== undefined ||
    headersOf(context).some((name) => context.headers[name.toLowerCase()] !== undefined));

const REASON = 'code of the project executes this write';

/** Refuses a condition or a dry run that code of the project would ignore. @throws AppError badRequest */
export function refuseConditions(context: Context): void {
  refuseHeaders(context.headers, headersOf(context), REASON);
  if (isWrite(context)) refuseDryRun(context.query, REASON);
}

/** Sets the `ETag` of an entry that a client reads, for a later `If-Match`. @param limit the maximum bytes of a response */
export function setTag(context: Context, answer: unknown, limit: number): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- messages are those of the service's application
  if (answer == null || !isTagged(context.res as Response)) return;
  context.set('ETag', tagOf(serializeJson(answer, limit)));
}
