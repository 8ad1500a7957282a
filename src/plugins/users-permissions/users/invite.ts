import { randomBytes } from 'node:crypto';
import { isRecord, type Data } from '../../../config/record.js';
import type { Entry } from '../../../documents/entries.js';
import { AppError } from '../../../errors/app-error.js';
import type { Rule } from '../../../errors/codes.js';
import { reasonOf } from '../../../errors/reason-of.js';
import { parseId } from '../../../query/parse/input.js';
import { withoutRestriction } from '../../contract/access/access.js';
import { whyNotPassOn } from '../../contract/access/pass-on.js';
import { editorAddress } from '../editor-address.js';
import { invitationMail } from '../mail/mails.js';
import { readPermissions } from '../roles/change-permissions.js';
import type { OperationContext, Services } from '../services.js';
import { uids } from '../uids.js';
import { findUsers } from './find-user.js';
import { parseTexts } from './parse-input.js';
import { refusePassword } from './present-user.js';
import { createUser, updateUser } from './write-users.js';

/** Milliseconds for which an invitation is good. */
const LIFETIME = 7 * 24 * 3_600_000;

/** Where the page of the editor that takes a code is. */
const PAGE = '/account/invited';

/** What whoever invites is told. */
interface Invitation {
  readonly user: Entry;
  /** Whether a mail with the link is on its way. */
  readonly sent: boolean;
  /** Where no mail is: what the invited need. A code alone where no page takes it. */
  readonly link?: string;
  readonly code?: string;
}

/**
 * Invites somebody by their address: makes an account without a password, and a code that sets one, as that of a
 * forgotten password does, and like that once. Who has set none yet can be invited again, which ends the former code.
 * @throws AppError validation, application, forbidden, tooManyRequests, and those of `createUser`
 */
export async function inviteUser(services: Services, input: Data, context: OperationContext): Promise<Invitation> {
  refusePassword(services);
  const { email, username = email } = parseTexts(input, [
    { name: 'email', email: true },
    { name: 'username', optional: true },
  ]) as { readonly email: string; readonly username?: string };
  await services.attempts.countMail('invitation', email);
  const role = await findRoleToGive(services, input['role'], context);
  const data = { email, username, role, confirmed: true };
  const [invited] = await findUsers(services, { email: email.toLowerCase(), provider: 'local' });
  const isAgain = invited !== undefined && invited.password === null;
  const user = isAgain
    ? await inviteAgain(services, invited, role, context)
    : await createUser(services, data, context, true);
  const code = randomBytes(32).toString('base64url');
  await services.context.entries.update(uids.user, user.id, {
    // With the code: whoever invites at the same moment may give another one.
    role,
    resetPasswordToken: code,
    resetPasswordExpiresAt: new Date(Date.now() + LIFETIME).toISOString(),
  });
  await refuseAccepted(services, user.id);
  return { user, ...(await tell(services, email, code)) };
}

/**
 * Whoever has accepted a former invitation meanwhile has an account, and nobody knows the new code yet.
 * @throws AppError application, without a code that is good
 */
async function refuseAccepted(services: Services, id: number): Promise<void> {
  const [user] = await findUsers(services, { id });
  if (user?.password === null) return;
  await services.context.entries.update(uids.user, id, { resetPasswordToken: null });
  throw new AppError('emailTaken');
}

/** Who may give somebody a role may change it, too, while nobody has used it. */
async function inviteAgain(services: Services, { id }: Entry, role: number, context: OperationContext): Promise<Entry> {
  if (!context.caller.may(`${uids.user}.update`)) throw new AppError('emailTaken');
  return updateUser(services, id, { role }, context);
}

/**
 * The role of an invitation: one whose actions whoever invites may do, without a rule, or their own.
 * @throws AppError validation, naming the first action that they may not pass on
 */
async function findRoleToGive(services: Services, input: unknown, { caller }: OperationContext): Promise<number> {
  const { entries } = services.context;
  const refuse = (message: string, rule?: Rule): never => {
    throw new AppError('validation', [{ path: ['role'], message, rule }]);
  };
  const id = parseId(isRecord(input) ? undefined : input) ?? refuse('role must be the id of a role');
  const role = await entries.findFirst(uids.role, { filters: { id } });
  if (role === undefined || role['type'] === 'public') return refuse('role must be the id of a role that users have');
  const own = caller.user === undefined ? undefined : (await services.users.user(caller.user))?.role;
  if (own === id) return id;
  for (const action of await readPermissions(entries, id)) {
    const reason = whyNotPassOn(withoutRestriction(action), caller);
    if (reason !== undefined) refuse(`role has ${withoutRestriction(action)}, ${reason}`, 'ownRights');
  }
  return id;
}

/** Sends the code to the invited; where that is not possible, whoever invites gets it. */
async function tell({ context, settings }: Services, email: string, code: string): Promise<Omit<Invitation, 'user'>> {
  const link = linkTo({ context, settings }, code);
  const shown = { sent: false, ...(link === undefined ? { code } : { link }) };
  // Without PUBLIC_URL a mail would have a path alone.
  if (!context.mailer.isConnected || link?.startsWith('/')) return shown;
  try {
    await context.mailer.send(invitationMail(email, code, link));
    return { sent: true };
  } catch (error) {
    context.log.error(`The mail of an invitation was not sent: ${reasonOf(error)}`);
    return shown;
  }
}

/** The page of the editor, where it is on; else that of the settings. Behind `#` a code is in no log. */
function linkTo({ context, settings }: Pick<Services, 'context' | 'settings'>, code: string): string | undefined {
  const editor = editorAddress(context);
  if (editor !== undefined) return `${editor}${PAGE}#${code}`;
  if (settings.resetPasswordUrl === undefined) return undefined;
  const url = new URL(settings.resetPasswordUrl);
  url.searchParams.set('code', code);
  return url.href;
}
