import { AppError } from '../../errors/app-error.js';
import { requireId } from '../../query/parse/input.js';
import { refuseDryRun } from '../../plugins/contract/refuse-dry-run.js';
import { refuseHeaders, versionCheck } from '../../rest/conditional/entry-checks.js';
import { authorise } from '../../rest/authorise.js';
import { serializeJson } from '../../rest/response/serialize.js';
import type { Runtime } from '../strapi.js';
import { CODE_WRITES, isWrite, type CoreRequest } from './core-request.js';
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
  refuseHeaders(core.headers, ['If-None-Match'], CODE_WRITES);
  return onceForKey(parts, core, async () => whileUnchanged(parts, core, observed));
}

/** Locks the entry from the comparison with `If-Match` to the write. */
async function whileUnchanged(
  { type, store, responseLimit }: DirectParts & Pick<Runtime, 'store'>,
  { headers, caller, response, params }: CoreRequest,
  { read, findSingle, write }: ObservedWrite,
): Promise<unknown> {
  const check = versionCheck(headers, async () => serializeJson((await read()) ?? null, responseLimit));
  if (check === undefined) return write();
  authorise(caller, `${type.uid}.${findSingle === undefined ? 'findOne' : 'find'}`, response);
  const id = findSingle === undefined ? requireId(String(params['id'])) : await findSingle();
  if (id === undefined) throw new AppError('notFound');
  return store.transactions.run(async (transaction) => {
    await transaction.inTurn(() => transaction.lock([{ collection: type.collectionName, id }]));
    await check();
    return write();
  });
}
