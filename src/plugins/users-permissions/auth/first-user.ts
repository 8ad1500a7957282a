import { randomBytes } from 'node:crypto';
import type { Data } from '../../../config/record.js';
import { system } from '../../../documents/caller.js';
import { AppError } from '../../../errors/app-error.js';
import { editorAddress } from '../editor-address.js';
import type { OperationContext, Services } from '../services.js';
import { parseTexts } from '../users/parse-input.js';
import { logInAs, refusePassword, whyNoPassword, type LogIn } from '../users/present-user.js';
import { createUser } from '../users/write-users.js';
import { uids } from '../uids.js';
import { MAX_CODE_LENGTH } from './hash-code.js';

/** The type of the role that works in the editor, as `init` writes it. */
const EDITOR = 'editor';
/** Milliseconds. */
const LIFETIME = 24 * 3_600_000;

/**
 * A line with a link to create the first user of the role `editor` in the browser; none if there is such a user, no
 * such role, no editor, or no log-in by passwords. The code in the link is behind `#`, which browsers do not send, so
 * that it is in no other log. Only its hash is stored.
 */
export async function inviteFirstUser(services: Services): Promise<readonly string[]> {
  if (whyNoPassword(services) !== undefined) return [];
  const { storage } = services.context;
  const editor = editorAddress(services.context);
  if (editor === undefined || (await findVacantRole(services)) === undefined) return [];
  const code = randomBytes(32).toString('base64url');
  await storage.locks.put(invitationKey(services, code), EDITOR, LIFETIME);
  const link = `${editor}/account/first#${code}`;
  return [`No user has the role ${EDITOR} yet. Create the first one within a day, once: ${link}`];
}

/**
 * Creates the first user of the role `editor`, with the code of a link. Only one of concurrent requests to all
 * processes succeeds, also with different links; a code whose user was refused, e.g. because of the password, stays
 * good.
 * @throws AppError validation, invalidValue, application, tooManyRequests
 */
export async function createFirstUser(
  services: Services,
  input: Data,
  { forgive, ...request }: OperationContext,
): Promise<LogIn> {
  refusePassword(services);
  const { code, ...texts } = parseTexts(input, [
    { name: 'code', maxLength: MAX_CODE_LENGTH },
    { name: 'username' },
    { name: 'email', email: true },
    { name: 'password' },
  ]);
  const { entries, storage } = services.context;
  const key = invitationKey(services, code);
  const user = await storage.locks.hold('first user', async () => {
    const role = await findVacantRole(services);
    if (role === undefined || (await storage.locks.take(key)) === undefined) {
      throw new AppError('usedInvitation');
    }
    try {
      return await createUser(services, { ...texts, role, confirmed: true }, { caller: system });
    } catch (error) {
      await storage.locks.put(key, EDITOR, LIFETIME);
      throw error;
    }
  });
  await forgive?.();
  return logInAs(services, await entries.findOne(uids.user, user.id), request, { first: 'link' });
}

const invitationKey = ({ hashCode }: Services, code: string): string => `first user ${hashCode(code)}`;

/** The id of the role `editor`, if it exists and no user has it. */
async function findVacantRole({ context: { entries } }: Services): Promise<number | undefined> {
  const role = await entries.findFirst(uids.role, { filters: { type: EDITOR }, fields: ['id'] });
  const filters = { role: { id: role?.id } };
  const user = role && (await entries.findFirst(uids.user, { filters, fields: ['id'] }));
  return user === undefined ? role?.id : undefined;
}
