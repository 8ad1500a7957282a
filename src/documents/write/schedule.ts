import type { ContentType, ScalarAttribute } from '../../content-types/model/types.js';
import { AppError, codedError, hasCode } from '../../errors/app-error.js';
import type { AccountName, ScheduledEntry, StoredSchedule } from '../../mongo/events/schedules.js';
import { SCHEDULE } from '../../mongo/stored/schedule.js';
import { both, draft, idIn, idIs, live, type Filter } from '../../query/ast.js';
import { noChanges, type StoredValue } from '../../query/mutation.js';
import { plainEntry } from '../../query/entry-presenter.js';
import type { Schedule } from '../../query/parse/parse-schedule.js';
import { system, through, type Caller } from '../caller.js';
import { emptyQuery, type DocumentsContext } from '../context.js';
import { requireStates, whereStatesExist } from '../entry-states.js';
import { dropWithheld } from '../input/permitted-data.js';
import { findEntry, findIds, idOf } from '../read.js';
import { whileUnchanged, type CheckVersion } from './conditional/while-unchanged.js';
import { internalField, isPrepared } from './internal-field.js';
import { mayAsk } from './rights-of-asks.js';
import { identityOf, receiptOf } from './sign-write.js';
import { updateEntry } from './update.js';

/** What happens at a scheduled time. */
const scheduler = through(system, 'schedule');

/** The outcome of a scheduled action. */
export type Outcome = 'done' | 'unchanged' | AppError;

/** When entries are to be published and unpublished. */
export const openEntrySchedules = (context: DocumentsContext) => ({
  /** The schedule of an entry that the caller may change. @throws AppError notFound, badRequest, forbidden */
  find: async (type: ContentType, id: number, caller: Caller): Promise<StoredSchedule | undefined> => {
    await requireSchedulable(context, type, id, caller);
    await findEntry(context, emptyQuery(type), id);
    const [entry] = await context.store.schedules.find(type, { ids: [id], limit: 1 });
    return entry?.schedule;
  },
  /**
   * Those of several entries, or without ids of the next ones of a type; without entries that have none or that the
   * caller may not change.
   * @throws AppError badRequest, forbidden
   */
  findMany: async (
    type: ContentType,
    named: readonly number[] | undefined,
    caller: Caller,
  ): Promise<readonly ScheduledEntry[]> => {
    requireRights(type, caller);
    const ids =
      named === undefined
        ? await findNext(context, type, caller)
        : await findIds(context, type, await whereStatesExist(context, type, 'update', caller, idIn(named)));
    return ids.length === 0 ? [] : context.store.schedules.find(type, { ids, limit: ids.length });
  },
  /**
   * Gives an entry a schedule in place of the one that it has; undefined removes it. The caller needs the rights to
   * change `publishedAt`.
   * @throws AppError notFound, badRequest, forbidden, validation, preconditionFailed
   */
  set: async (
    type: ContentType,
    id: number,
    schedule: Schedule | undefined,
    caller: Caller,
    check?: CheckVersion,
  ): Promise<void> => {
    await requireSchedulable(context, type, id, caller);
    // It would publish the working copy, or show it in the draft that the entry becomes.
    if (schedule !== undefined) requirePublisher(type, caller);
    if (schedule !== undefined) await context.store.schedules.prepare(type);
    const by = accountOf(caller);
    const stored = schedule && withDue({ ...schedule, ...(by && { by }) });
    const only = context.limitOf(type, 'update', caller);
    const { matched } = await whileUnchanged(context, { type, id }, check, () =>
      write(context, type, id, stored, { only, caller }),
    );
    if (matched === 0) throw new AppError('notFound');
  },
  /**
   * Publishes or unpublishes an entry at its scheduled time, as a normal write, by the rights that whoever has
   * scheduled it has then. The same write removes the time from the schedule, and only changes an entry that has it: so
   * it happens once, however many processes try it and wherever one of them dies. @throws AppError unavailable
   */
  run: async (type: ContentType, { id, schedule }: ScheduledEntry, now: Date): Promise<Outcome> => {
    const { publishAt, unpublishAt, due, by } = schedule;
    if (due === undefined) return 'unchanged';
    const publishes = publishAt?.getTime() === due.getTime();
    const rest = { ...(publishes ? { unpublishAt } : { publishAt }), ...(by && { by }) };
    const [isSame, next] = [isStill(schedule), withDue(rest)];
    const isPublishable = type.copies === undefined ? draft : isPrepared;
    const changes: Filter = { kind: 'and', filters: [isSame, publishes ? isPublishable : live] };
    // All of the entry is checked. What is prepared of a published one is published as well.
    const status = publishes ? ({ status: 'published' } as const) : {};
    const time = publishes ? now.toISOString() : null;
    const data = publishes && type.copies !== undefined ? {} : { publishedAt: time };
    try {
      const limitedBy = by === undefined ? system : await context.callerOf(by);
      if (limitedBy?.may(`${type.uid}.update`) !== true) throw gone;
      requireRights(type, limitedBy);
      requirePublisher(type, limitedBy);
      if (limitedBy !== system) await requireStates(context, type, id, 'update', limitedBy);
      const request = { ...ofNothing, caller: scheduler, limitedBy, ...status };
      await updateEntry(context, type, id, data, request, {
        step: { only: changes, values: new Map([scheduleValue(next)]) },
      });
      return 'done';
    } catch (error) {
      // It is published or unpublished already, or another process was faster; or it is hidden by now from whoever has
      // scheduled it.
      const isHidden = hasCode(error, 'notFound') && (await findIds(context, type, both(idIs(id), changes))).length > 0;
      if (hasCode(error, 'notFound') && !isHidden) {
        await write(context, type, id, next, { only: isSame, caller: scheduler });
        return 'unchanged';
      }
      if (!(error instanceof AppError) || hasCode(error, 'unavailable', 'overloaded', 'outOfTime')) throw error;
      const reason = isHidden ? gone : error;
      const { due: _passed, ...failed } = { ...schedule, error: reasonOf(reason), refusal: codedError(reason) };
      await write(context, type, id, failed, { only: isSame, caller: scheduler });
      return reason;
    }
  },
});

/** Why an entry was refused: all reasons, each of which names an attribute. */
const reasonOf = ({ message, details }: AppError): string =>
  details?.errors?.map((issue) => issue.message.replace(/\.$/, '')).join('; ') ?? message;

/** Entries that are listed without their ids. */
const MAX_LISTED = 100;

/** The ids of the entries that are published or unpublished next. */
async function findNext(context: DocumentsContext, type: ContentType, caller: Caller): Promise<readonly number[]> {
  const { store } = context;
  // Others have no index of the times.
  if (!(await store.schedules.types()).includes(type.uid)) return [];
  const field = fieldOf('due');
  const isDue: Filter = { kind: 'comparison', field, operator: '$gt', operands: [new Date(0)] };
  const { entries } = await store.find({
    ...emptyQuery(type),
    filter: await whereStatesExist(context, type, 'update', caller, isDue),
    sort: [{ through: [], field, direction: 'ascending' }],
    pagination: { form: 'offset', start: 0, limit: MAX_LISTED, withCount: false },
  });
  return entries.map(idOf);
}

const ofNothing = { presenter: plainEntry, selection: { fields: [], populate: [] } };

const gone = new AppError('forbidden', 'Whoever has scheduled this has not the right to do it any more');

/**
 * Checks that the caller could publish the entry now: a schedule needs the rights of the write that it is.
 * @throws AppError notFound, badRequest, forbidden
 */
async function requireSchedulable(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  caller: Caller,
): Promise<void> {
  requireRights(type, caller);
  await requireStates(context, type, id, 'update', caller);
}

/**
 * @throws AppError badRequest for a type without drafts, forbidden and validation for callers who may not publish its
 * entries
 */
function requireRights(type: ContentType, caller: Caller): void {
  if (!type.draftAndPublish) throw new AppError('badRequest', `${type.uid} has no drafts`);
  const published = dropWithheld({ publishedAt: null }, type, 'update', caller);
  if (Object.keys(published as object).length === 0) throw new AppError('forbidden');
}

/** @throws AppError forbidden */
function requirePublisher(type: ContentType, caller: Caller): void {
  if (!mayAsk(type, 'publish', caller)) throw new AppError('forbidden');
}

/**
 * What names the sender of a request when it is over; undefined for the operator, and for strategies of project code.
 */
function accountOf({ kind, user, credentials }: Caller): AccountName | undefined {
  if (kind === 'user' && user !== undefined) return { kind, id: user };
  const id = credentials?.['id'];
  return kind === 'token' && typeof id === 'number' ? { kind, id } : undefined;
}

function withDue({
  publishAt,
  unpublishAt,
  by,
}: { [N in keyof Schedule]: Schedule[N] | undefined } & Pick<StoredSchedule, 'by'>): StoredSchedule | undefined {
  const times = [publishAt, unpublishAt].filter((time) => time !== undefined);
  const [due] = times.toSorted((a, b) => a.getTime() - b.getTime());
  if (due === undefined) return undefined;
  return { ...(publishAt && { publishAt }), ...(unpublishAt && { unpublishAt }), ...(by && { by }), due };
}

/** Changes only the schedule: the entry itself does not change, and there is no event. */
function write(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  schedule: StoredSchedule | undefined,
  { only, caller }: { readonly only: Filter | undefined; readonly caller: Caller },
) {
  const changes = { ...noChanges, values: new Map([scheduleValue(schedule)]) };
  const receipt = receiptOf(context, type, { caller }, { ...identityOf({ caller }), action: 'schedule' });
  return context.store.apply([{ kind: 'update', type, id, changes, receipt }], { only });
}

const scheduleValue = (schedule: StoredSchedule | undefined): readonly [string, StoredValue | undefined] => [
  SCHEDULE,
  schedule as unknown as StoredValue | undefined,
];

const fieldOf = (name: keyof Schedule | 'due'): ScalarAttribute => internalField(`${SCHEDULE}.${name}`, 'datetime');

/** The entry has the same times as when its schedule was read. */
function isStill(schedule: StoredSchedule): Filter {
  const filters = (['publishAt', 'unpublishAt', 'due'] as const).map((name): Filter => {
    const [field, time] = [fieldOf(name), schedule[name]];
    return time === undefined
      ? { kind: 'comparison', field, operator: '$null', operands: [] }
      : { kind: 'comparison', field, operator: '$eq', operands: [time] };
  });
  return { kind: 'and', filters };
}
