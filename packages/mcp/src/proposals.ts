import { randomUUID } from 'node:crypto';
import {
  AppError,
  type ContentType,
  isLocalized,
  listingOf,
  sharedAttributes,
  tagOf,
  type Data,
} from 'content-service/plugin';
import { proposal } from './definition.js';
import type { AssistantOperation } from './operation.js';
import { entriesIn, idIn, readSteps, tryOut, typeOf, type WritePlan, type Proposer, type Step } from './plan.js';
import { readableChanges } from './readable.js';

interface Stored {
  readonly id: number;
  readonly plan: WritePlan;
  readonly applied: Data | null;
  readonly undo: readonly AssistantOperation[] | null;
}

const KEPT_MS = 24 * 3_600_000;
/** Proposals of one caller, applied or not. */
const MAX_OPEN = 100;

/**
 * Checks operations completely, stores nothing of them, and returns what they would change. The proposal is stored like
 * an entry, for all processes.
 * @throws Refused, AppError badRequest, tooManyRequests
 */
export async function propose(operations: readonly AssistantOperation[], by: Proposer): Promise<Data> {
  await removeExpired(by);
  const tried = await tryOut(await readSteps(operations, by), by);
  const changes = await readableChanges(tried, by);
  const key = randomUUID();
  const { steps, request } = tried;
  const expiresAt = new Date(Date.now() + KEPT_MS).toISOString();
  const { owner, context } = by;
  const { id } = await context.entries.create(proposal.uid, { key, owner, expiresAt, plan: { steps, request } });
  // Others may have been stored since the first look.
  if ((await countProposals(by)) > MAX_OPEN) {
    await context.entries.delete(proposal.uid, id);
    throw tooMany();
  }
  return {
    proposal: key,
    expiresAt,
    changes,
    ...(tried.isUntried && {
      note: 'Not checked: code of the project runs when it is applied, and can change or refuse it',
    }),
  };
}

/**
 * Makes exactly the changes of a proposal, all or none; a second time it returns the response to the first.
 * @throws Refused, AppError badRequest
 */
export async function apply(key: string, by: Proposer): Promise<Data> {
  const { id, plan, applied } = await find(key, by);
  if (applied !== null) return applied;
  // A repetition gets the response to the first request: it is executed once, wherever a process dies.
  const headers = { ...plan.request.headers, 'Idempotency-Key': `mcp-${key}` };
  const { body } = await by.call({ ...plan.request, headers });
  const written = entriesIn(body);
  const response = { applied: key, entries: plan.steps.map((step, index) => writtenBy(step, written[index])) };
  const undo = plan.steps.map((step, index) => undoOf(plan.steps, index, written[index], typeOf(step, by)));
  await by.context.entries.update(proposal.uid, id, { applied: response, undo });
  return response;
}

/** Proposes the changes that revert an applied proposal. @throws as `propose` */
export async function proposeUndo(key: string, by: Proposer): Promise<Data> {
  const { undo } = await find(key, by);
  if (undo === null) throw new AppError('badRequest', 'This proposal is not applied: there is nothing to undo');
  // The last change first, because it can depend on those before it.
  return propose(undo.toReversed(), by);
}

/** @throws AppError badRequest */
async function find(key: string, { owner, context }: Proposer): Promise<Stored> {
  const filters = { key, owner, expiresAt: { $gt: new Date().toISOString() } };
  const found = await context.entries.findFirst(proposal.uid, { filters });
  if (found === undefined)
    throw new AppError(
      'badRequest',
      'There is no such proposal of this caller, or it is older than a day: propose again',
    );
  return found as unknown as Stored;
}

/** @throws AppError tooManyRequests if too many proposals of the caller are left */
async function removeExpired(by: Proposer): Promise<void> {
  const { entries } = by.context;
  const expired = await entries.findMany(proposal.uid, {
    filters: { expiresAt: { $lte: new Date().toISOString() } },
    fields: ['id'],
  });
  for (const { id } of expired) await entries.delete(proposal.uid, id).catch(() => undefined);
  if ((await countProposals(by)) >= MAX_OPEN) throw tooMany();
}

const countProposals = ({ owner, context: { entries } }: Proposer): Promise<number> =>
  entries.count(proposal.uid, { filters: { owner } });

const tooMany = (): AppError => new AppError('tooManyRequests', KEPT_MS / 1000);

/** What a step has written, in few words: the assistant knows the values. @param entry in the response to the step */
const writtenBy = ({ action, uid, id }: Step, entry: unknown): Data => ({ action, type: uid, id: id ?? idIn(entry) });

/**
 * The operation that reverts a step, if nobody has changed the entry since.
 * @param entry in the response to the step
 */
function undoOf(steps: readonly Step[], index: number, entry: unknown, contentType: ContentType): AssistantOperation {
  const { action, uid: type, id, locale, data, before = {} } = steps[index] as Step;
  const isSingle = contentType.kind === 'singleType';
  const named = isSingle ? { locale } : { id };
  const ifMatch = tagOf(JSON.stringify(bodyWith(entry, action, contentType)));
  switch (action) {
    case 'create': {
      const created = isSingle ? { locale: data['locale'] as string | undefined } : { id: idIn(entry) };
      return { action: 'delete', type, ...created, ifMatch };
    }
    case 'update':
      return { action, type, ...named, data: before, ifMatch };
    case 'delete':
      return isLocalized(contentType)
        ? relocalization(steps, index, contentType)
        : { action: 'create', type, data: before };
    case 'schedule':
      return { action, type, ...named, ...before, ifMatch };
    default:
      return action satisfies never;
  }
}

/** The response to a GET of what a step has written. */
function bodyWith(entry: unknown, action: Step['action'], type: ContentType): unknown {
  if (action === 'schedule') return { data: entry };
  return listingOf(type)?.hasEnvelope === false ? entry : { data: entry, meta: {} };
}

/**
 * Creates a deleted entry as a localization of one of the others again: of one that is left or, as an undo begins with
 * the last step, of one that was deleted after it. Values that they share are those of the other: they can have changed
 * since.
 */
function relocalization(steps: readonly Step[], index: number, contentType: ContentType): AssistantOperation {
  const { uid: type, before = {} } = steps[index] as Step;
  const { localizations = [], ...data } = before;
  const deletionOf = (id: number): number =>
    steps.findIndex((step) => step.action === 'delete' && step.uid === type && step.id === id);
  const others = localizations as readonly number[];
  const left = others.find((id) => deletionOf(id) === -1);
  const restored = others.map(deletionOf).find((deletion) => deletion > index);
  const localizationOf = left ?? (restored === undefined ? undefined : `$entry${restored}`);
  const as = `entry${index}`;
  if (localizationOf === undefined) return { action: 'create', type, as, data };
  const shared = new Set(sharedAttributes(contentType).map(({ name }) => name));
  const own = Object.entries(data).filter(([name]) => !shared.has(name));
  return { action: 'create', type, as, localizationOf, data: Object.fromEntries(own) };
}
