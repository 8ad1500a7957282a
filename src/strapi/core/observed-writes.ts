import type { Condition } from '../../plugins/contract/write-terms.js';
import { serializeJson } from '../../calls/serialize.js';
import { termsOf } from '../../calls/terms.js';
import { unchanged } from '../../calls/unchanged.js';
import { isRecord } from '../../config/record.js';
import { writtenEntry } from '../../documents/response/written-response.js';
import { whileUnchanged } from '../../documents/write/conditional/while-unchanged.js';
import { AppError } from '../../errors/app-error.js';
import { requireId } from '../../query/parse/input.js';
import type { Runtime } from '../strapi.js';
import { CODE_WRITES, isWrite, requestContextOf, type CoreRequest } from './core-request.js';
import { bodyOf, type DirectParts } from './direct.js';

interface ObservedWrite {
  /** The response to a GET of the same URL, with its events. */
  readonly read: () => Promise<unknown>;
  /** The id of the entry of a single type; undefined: the path has the id. */
  readonly findSingle: (() => Promise<number | undefined>) | undefined;
  /** Writes with all events, and returns the response. */
  readonly write: () => Promise<unknown>;
}

/**
 * Runs a core action on a type whose events code of the project observes, under the conditions of its request: each
 * response is the one that code has seen. A dry run would run code that does not know of it.
 * @throws AppError badRequest, lifecyclesRun, preconditionFailed, notFound, conflict
 */
export async function writeObserved(
  parts: DirectParts & Pick<Runtime, 'store'>,
  core: CoreRequest,
  observed: ObservedWrite,
): Promise<unknown> {
  if (!isWrite(core)) return observed.write();
  // Code leaves the write to the core, which knows of keys and tags, and not of entries that are absent.
  const terms = termsOf(core, { 'If-None-Match': CODE_WRITES });
  if (terms.isDryRun) throw new AppError('lifecyclesRun', parts.type.uid);
  const { presenter } = requestContextOf(core);
  return bodyOf(parts, core, terms, async () => {
    const body = await writeUnchanged(parts, core, terms.condition, observed);
    if (!isRecord(body)) throw new AppError('notFound');
    return { body, shortened: writtenEntry(body['data'], presenter).shortened };
  });
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
