import { randomBytes } from 'node:crypto';
import type { Entry } from '../../../documents/entries.js';
import type { Written } from '../../../documents/hooks.js';
import type { OpenSession } from '../../../mongo/coordination/open-sessions.js';
import { issuedAt } from '../auth/jwt.js';
import type { CachedUser } from '../auth/user-cache.js';
import type { OperationContext, Services } from '../services.js';
import { deviceOf } from './device.js';

/**
 * A client that sends `X-Session: true` with a log-in gets a token with a session: its user sees it in a list, and ends
 * it. Others get the tokens of Strapi v4.
 */
const HEADER = 'x-session';

/** The session that a log-in begins; undefined: the client asks for none. */
export async function newSession(
  { settings, users }: Services,
  user: Entry,
  message: OperationContext['message'],
): Promise<OpenSession | undefined> {
  if (message?.headers[HEADER] !== 'true') return undefined;
  const since = new Date(issuedAt(user) * 1000);
  return {
    id: randomBytes(16).toString('base64url'),
    since,
    approvedAt: since,
    until: new Date(since.getTime() + settings.tokenLifetime * 1000),
    role: (await users.read(user.id))?.role ?? null,
    ...deviceOf(message.headers['user-agent']),
  };
}

/** Whether a session is open: a new password, another role and a block end those from before. */
export const isOpen = (
  { approvedAt, until, role }: OpenSession,
  user: Pick<CachedUser, 'blocked' | 'tokensFrom' | 'role'> | undefined,
  now = Date.now(),
): boolean =>
  user !== undefined &&
  !user.blocked &&
  approvedAt.getTime() >= user.tokensFrom * 1000 &&
  until.getTime() > now &&
  role === (user.role ?? null);

/** The sessions of a user that are open. */
export async function openSessionsOf({ context, users }: Services, id: number): Promise<readonly OpenSession[]> {
  const [sessions, user] = await Promise.all([context.storage.sessions.of(id), users.read(id)]);
  return sessions.filter((session) => isOpen(session, user));
}

/** What of a user ends sessions. */
const ending = ['passwordChangedAt', 'blocked', 'role'];

/** Ends the sessions that are not open any more after a write of a user, so that nothing opens them again. */
export async function endClosedSessions({ context, users }: Services, written: Written): Promise<void> {
  const { action, id, values, links = [] } = written;
  const names = new Set([...(values?.keys() ?? ending), ...links.map(({ attribute }) => attribute.name)]);
  if (action === 'create' || !(action === 'delete' || ending.some((name) => names.has(name)))) return;
  const { sessions } = context.storage;
  const stored = await sessions.of(id);
  if (stored.length === 0) return;
  const user = action === 'delete' ? undefined : await users.read(id);
  const closed = stored.filter((session) => !isOpen(session, user));
  if (closed.length > 0)
    await sessions.end(
      id,
      closed.map((session) => session.id),
    );
}
