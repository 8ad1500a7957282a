import type { Data } from '../../../config/record.js';
import type { Caller } from '../../../documents/caller.js';
import type { Entry } from '../../../documents/entries.js';
import { AppError } from '../../../errors/app-error.js';
import type { ActivityAction } from '../../../query/receipt.js';
import type { RouteRequest } from '../../contract/plugin.js';
import { nextSecond } from '../auth/jwt.js';
import type { OperationContext, Services } from '../services.js';
import { changeForCaller, requireChangeable } from '../users/write-users.js';
import { uids } from '../uids.js';
import { openSessionsOf } from './session.js';

/** The open sessions of the caller, the latest first. @throws AppError unauthorized */
export async function listSessions(services: Services, { caller }: RouteRequest): Promise<readonly Data[]> {
  const sessions = await openSessionsOf(services, userOf(caller));
  return sessions.map(({ id, since, browser, system }) => ({
    id,
    since,
    browser,
    system,
    current: id === caller.session,
  }));
}

/** Ends a session of the caller. @throws AppError unauthorized, notFound */
export async function endSession(services: Services, { caller, params }: RouteRequest): Promise<Data> {
  const user = userOf(caller);
  const id = params['session'] ?? '';
  if (!(await openSessionsOf(services, user)).some((session) => session.id === id))
    throw new AppError('notFound', 'Session not found');
  return end(services, user, id, id === caller.session ? 'logout' : 'endSession');
}

/** Ends the session of the token that is sent. @throws AppError unauthorized, application */
export async function logOut(services: Services, { caller }: RouteRequest): Promise<Data> {
  const user = userOf(caller);
  if (caller.session === undefined)
    throw new AppError('application', 'This token has no session: log in with the header X-Session');
  return end(services, user, caller.session, 'logout');
}

/**
 * Ends all sessions of the caller but that of the request, and all tokens without one.
 * @throws AppError unauthorized
 */
export async function endOtherSessions(services: Services, { caller }: RouteRequest): Promise<Data> {
  const { entries, storage } = services.context;
  const user = userOf(caller);
  const now = nextSecond();
  await recordOf(services, user, 'endSession');
  // First: what ends tokens ends the sessions that were approved before.
  if (caller.session !== undefined) await storage.sessions.endOthers(user, caller.session, now);
  await entries.update(uids.user, user, { passwordChangedAt: now.toISOString() });
  return { ok: true };
}

/**
 * Ends all sessions and tokens of a user, by whoever may change the user.
 * @throws AppError notFound, forbidden
 */
export async function endSessionsOf(
  services: Services,
  id: number | undefined,
  request: Pick<RouteRequest, 'caller'> & Pick<OperationContext, 'entryForm'>,
): Promise<Entry> {
  const user = await requireChangeable(services, id, request.caller);
  await recordOf(services, user, 'endSession');
  return changeForCaller(services, user, { passwordChangedAt: nextSecond().toISOString() }, request);
}

/** It is recorded before it is done: what cannot be recorded is not done. */
async function end(services: Services, user: number, id: string, action: ActivityAction): Promise<Data> {
  await recordOf(services, user, action);
  await services.context.storage.sessions.end(user, [id]);
  return { ok: true };
}

const recordOf = ({ context }: Services, entry: number, action: ActivityAction): Promise<void> =>
  context.storage.recordActivity({ action, type: uids.user, entry });

function userOf({ user }: Caller): number {
  if (user === undefined) throw new AppError('unauthorized', 'Unauthorized');
  return user;
}
