import type { Response } from 'express';
import type { Context } from 'koa';
import { tagOf } from '../../documents/response/response-cache.js';
import { refuseHeaders } from '../../rest/conditional/version-check.js';
import { isTagged } from '../../rest/response/send.js';
import { serializeJson } from '../../rest/response/serialize.js';

/** The headers that guard a write. */
const headers: Readonly<Record<string, readonly string[]>> = {
  POST: ['Idempotency-Key', 'If-Match', 'If-None-Match'],
  PUT: ['If-Match', 'If-None-Match'],
  DELETE: ['If-Match', 'If-None-Match'],
};

const headersOf = ({ method }: Context): readonly string[] => headers[method] ?? [];

/** Whether a request is a write with a condition. */
export const isConditional = (context: Context): boolean =>
  headersOf(context).some((name) => context.headers[name.toLowerCase()] !== undefined);

/** Refuses a condition that code of the project would ignore. @throws AppError badRequest */
export const refuseConditions = (context: Context): void =>
  refuseHeaders(context.headers, headersOf(context), 'code of the project executes this write');

/** Sets the `ETag` of an entry that a client reads, for a later `If-Match`. @param limit the maximum bytes of a response */
export function setTag(context: Context, answer: unknown, limit: number): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- messages are those of the service's application
  if (answer == null || !isTagged(context.res as Response)) return;
  context.set('ETag', tagOf(serializeJson(answer, limit)));
}
