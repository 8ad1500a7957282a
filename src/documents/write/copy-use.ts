import lodash from 'lodash';
import { isRecord, type Data } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { Issue } from '../../errors/codes.js';
import { REVIEW } from '../../mongo/stored/review.js';
import { COPIED, isCopied } from '../../mongo/stored/working-copy.js';
import { noChanges } from '../../query/mutation.js';
import { plainEntry } from '../../query/entry-presenter.js';
import { both, draft, live, withId, type Filter } from '../../query/ast.js';
import { parseSelection } from '../../query/parse/parse-selection.js';
import type { Caller } from '../caller.js';
import { emptyQuery, type DocumentsContext, type EntryRequest } from '../context.js';
import { requireStates, stateLimits } from '../entry-states.js';
import { announced } from '../events/announced.js';
import { announceCopy } from '../events/announcement.js';
import { findEntry, first, isDraft, queryFor } from '../read.js';
import { finishWrite, withoutHooks } from './finish-write.js';
import { joined, type Conditions } from './conditional/conditions.js';
import { whileUnchanged, type CheckVersion } from './conditional/while-unchanged.js';
import type { EncodedEntry } from './encode.js';
import { internalField } from './internal-field.js';
import { rightsOf, rowsOf, transitionOf } from './rights-of-asks.js';
import { identityOf, receiptOf } from './sign-write.js';
import { componentsOf } from './assert-publishable.js';
import { dependsOnState, dryTransition, transitionFrom, type Ask, type Transition } from './transitions.js';

/** What an update does to entries in the state for which that was decided. */
export interface ChosenTransition extends Transition, Conditions {}

/**
 * What an update does to an entry, by the status that its request names, the rights of the caller, and the state of the
 * entry.
 * @throws AppError forbidden, validation, notFound, badRequest
 */
export async function chooseTransition(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  clientData: unknown,
  request: EntryRequest,
): Promise<ChosenTransition> {
  const { caller, limitedBy = caller, status } = request;
  const ask = askOf(type, clientData, status);
  const rows = rowsOf(type);
  const has = rightsOf(type, 'update', limitedBy);
  if (!dependsOnState(rows, ask, has)) return {};
  const state = (await isDraft(context, type, id)) ? 'draft' : 'live';
  const transition = transitionFrom(rows, ask, state, has);
  if (transition === undefined) throw new AppError('forbidden');
  const only = state === 'draft' ? draft : live;
  if (request.dryRun !== true) return { ...transition, only };
  const hasOwn = transition.copy !== undefined && (await hasCopy(context, type, id));
  const tried = dryTransition(transition, hasOwn);
  if (tried !== undefined) return { ...tried, only };
  throw new AppError(
    'badRequest',
    'dryRun is not supported with status for an entry that has a working copy, or gets one',
  );
}

/**
 * Refuses what the creation of an entry would do by its status without the right to it.
 * @throws AppError forbidden, validation
 */
export function assertMayCreate(
  type: ContentType,
  action: 'create' | 'update',
  clientData: unknown,
  status: EntryRequest['status'],
  caller: Caller,
): void {
  const ask = askOf(type, clientData, status);
  const transition = transitionFrom(rowsOf(type), ask, 'none', rightsOf(type, action, caller));
  if (transition === undefined) throw new AppError('forbidden');
}

/** @throws AppError validation for a time of publication beside a status, which says it already */
function askOf(type: ContentType, clientData: unknown, status: EntryRequest['status']): Ask {
  if (status === undefined) return isUnpublished(clientData) ? 'unpublish' : 'write';
  const isNamed = isRecord(clientData) && Object.hasOwn(clientData, 'publishedAt');
  const isRefused = type.copies === undefined ? status === 'published' && isUnpublished(clientData) : isNamed;
  if (isRefused) refuseNames(['publishedAt'], status);
  return status === 'draft' ? 'save' : 'publish';
}

/** Whether data makes a draft of a published entry. */
export const isUnpublished = (clientData: unknown): boolean =>
  isRecord(clientData) && clientData['publishedAt'] === null;

async function hasCopy({ store }: DocumentsContext, type: ContentType, id: number): Promise<boolean> {
  const { copies } = await store.find(first(withId({ ...emptyQuery(type), latest: true }, id)));
  return copies?.has(id) === true;
}

function refuseNames(names: readonly string[], status: string): void {
  if (names.length === 0) return;
  const issues = names.map((name): Issue => ({
    path: [name],
    message: `${name} must not be written with status=${status}`,
    rule: 'writable',
  }));
  throw new AppError('validation', issues);
}

/**
 * Refuses to save what is no part of a copy: what belongs to the entry as a whole, and relations that other entries
 * store, because they would show it at once.
 * @throws AppError validation, naming the attributes
 */
export function assertIsOfCopy({ values, links, otherSides }: EncodedEntry): void {
  const names = [...values.keys(), ...links.map(({ attribute }) => attribute.name)];
  refuseNames(
    names.filter((name) => !isCopied(name)),
    'draft',
  );
  const issues = otherSides.map(({ attribute: { name, target } }): Issue => {
    const message = `${name} is stored in entries of ${target.uid}, so it cannot be part of a working copy: change it there`;
    return { path: [name], message };
  });
  if (issues.length > 0) throw new AppError('validation', issues);
}

/** What the working copy of an entry changes, as code of the project sees it before that is published. */
export interface SeenChanges extends Conditions {
  readonly data: Data;
}

/** Empty if no code takes part. */
export async function changesOfCopy(context: DocumentsContext, type: ContentType, id: number): Promise<SeenChanges> {
  const updatedAt = type.attributes.get('updatedAt');
  if (type.copies === undefined || updatedAt?.kind !== 'scalar' || !context.hooks.runsCode(type)) return { data: {} };
  const links = [...type.attributes.values()].filter(({ kind }) => kind === 'relation' || kind === 'morph');
  const populate = {
    ...componentsOf(type),
    ...Object.fromEntries(links.map(({ name }) => [name, { fields: ['id'] }])),
  };
  const selection = parseSelection({ populate }, type, 'internal', { populateLimit: Number.MAX_SAFE_INTEGER });
  const query = first(withId({ ...emptyQuery(type), ...selection, latest: true }, id));
  const { entries, copies } = await context.store.find(query);
  const prepared = (entries[0]?.(plainEntry) ?? {}) as Data;
  const changes = copies?.get(id);
  // The entry has no copy since, or still this one: nothing is published that code has not seen.
  if (changes === undefined) return { data: {}, only: withoutCopy };
  const operands = [new Date(String(prepared['updatedAt']))];
  const isSame: Filter = { kind: 'comparison', field: updatedAt, operator: '$eq', operands };
  return { data: lodash.pick(prepared, changes), onlyCopy: isSame };
}

const withoutCopy: Filter = {
  kind: 'comparison',
  field: internalField(COPIED, 'integer'),
  operator: '$null',
  operands: [],
};

/**
 * Discards the working copy of an entry, and returns the entry.
 * @throws AppError notFound if it has none, or its type has no copies; forbidden, preconditionFailed
 */
export async function discardCopy(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  request: EntryRequest,
  { check, only: condition }: { readonly check?: CheckVersion | undefined; readonly only?: Filter },
): Promise<unknown> {
  const { caller, limitedBy = caller, status: _, publicationState: __, ...plain } = request;
  if (request.dryRun === true)
    throw new AppError('badRequest', 'dryRun is not supported where a working copy is discarded');
  const transition = transitionOf(type, 'discard', 'live', limitedBy);
  if (transition === undefined) throw new AppError('forbidden');
  if (transition.copy !== 'discard') throw new AppError('notFound');
  const query = queryFor(context, type, 'update', { ...plain, caller });
  const limits = stateLimits(context, type, 'update', limitedBy);
  const conditions = joined(limits, { only: condition });
  const entry = await findEntry(context, { ...query, filter: both(query.filter, conditions.only) }, id);
  if (limits.onlyCopy !== undefined) await requireStates(context, type, id, 'update', limitedBy);
  await check?.();
  const response = entry(request.presenter);
  const identity = identityOf(request);
  const receipt = receiptOf(context, type, request, { ...identity, action: 'discard' });
  await whileUnchanged(context, { type, id }, check, async () => {
    const written = { ...identity, action: 'update', type, id } as const;
    await announced(context.store, [announceCopy(context.audiences, type, 'delete')], {
      record: (event) => event.record(id, undefined),
      write: async () => {
        const { matched } = await context.store.apply(
          [
            {
              kind: 'update',
              type,
              id,
              changes: { ...noChanges, values: new Map([[REVIEW, undefined]]) },
              copy: 'discard',
              receipt,
            },
          ],
          conditions,
        );
        if (matched === 0) throw new AppError('notFound');
      },
      finish: () => finishWrite(withoutHooks(context), { written }, async () => entry),
      entryOf: (found) => found,
    });
  });
  return response;
}
