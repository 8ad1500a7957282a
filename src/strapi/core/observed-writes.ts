import { conditionOf, type Condition } from '../../calls/condition.js';
import { serializeJson } from '../../calls/serialize.js';
import { unchanged } from '../../calls/unchanged.js';
import { whileUnchanged } from '../../documents/write/conditional/while-unchanged.js';
import { AppError } from '../../errors/app-error.js';
import { requireId } from '../../query/parse/input.js';
import { refuseDryRun } from '../../plugins/contract/refuse-dry-run.js';
import type { Runtime } from '../strapi.js';
import { isWrite, uselessForObserved, type CoreRequest } from './core-request.js';
import { onceForKey, type DirectParts } from './direct.js';

interface ObservedWrite {
  /** The response to a GET of the same URL, with its events. */
  readonly read: () => Promise<unknown>;
  /** The id of the entry of a single type; undefined: the path has the id. */
  readonly findSingle: (() => Promise<number | undefined>) | undefined;
  /** Writes with all events, and returns the response. */
  readonly write: () => Promise<unknown>;
}

/**
 * Runs a core action on a type whose events code of the project observes, under the conditions of its request: each response is the one that code
 * has seen. A dry run would run code that does not know of it.
 * @throws AppError badRequest, preconditionFailed, notFound, conflict
 */
export async function writeObserved(
  parts: DirectParts & Pick<Runtime, 'store'>,
  core: CoreRequest,
  observed: ObservedWrite,
): Promise<unknown> {
  if (!isWrite(core)) return observed.write();
  refuseDryRun(core.query, `lifecycles of the project run for ${parts.type.uid}`);
  const condition = conditionOf(core.headers, uselessForObserved);
  return onceForKey(parts, core, async () => writeUnchanged(parts, core, condition, observed));
}

/** What is compared is what code has seen of the entry. */
async function writeUnchanged(
  { type, store, responseLimit }: DirectParts & Pick<Runtime, 'store'>,
  { caller, response, params }: CoreRequest,
  condition: Condition | undefined,
  { read, findSingle, write }: ObservedWrite,
): Promise<unknown> {
  const readBy = `${type.uid}.${findSingle === undefined ? 'findOne' : 'find'}`;
  const body = async () => serializeJson((await read()) ?? null, responseLimit);
  const check = unchanged(condition, { caller, readBy, response, read: body });
  if (check === undefined) return write();
  const id = findSingle === undefined ? requireId(String(params['id'])) : await findSingle();
  if (id === undefined) throw new AppError('notFound');
  return whileUnchanged({ store }, { type, id }, check, write);
}
