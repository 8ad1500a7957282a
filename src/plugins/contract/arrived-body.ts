import { isDeeperThan } from '../../config/record.js';

const ARRIVED = Symbol('arrived body');

/**
 * What has the body of a request: a message, a request of Koa, or the `info` of a field of GraphQL with its arguments.
 */
type Holder = { [ARRIVED]?: unknown };

/** More than any entry has; deeper bodies are the client's as a whole. */
const MAX_LEVELS = 1000;

/**
 * Keeps a copy of a body before code of the project can change it: a value that differs from it is not the client's.
 */
export function keepArrived(holder: object, body: unknown): void {
  if (!isDeeperThan(MAX_LEVELS, body)) (holder as Holder)[ARRIVED] ??= structuredClone(body);
}

/** The body of a request as the client sent it; undefined where no code could change it. */
export const arrivedBody = (holder: object): unknown => (holder as Holder)[ARRIVED];

/** Leaves what arrived to whoever handles the request next. */
export function passArrived(from: object, to: object): void {
  (to as Holder)[ARRIVED] = arrivedBody(from);
}
