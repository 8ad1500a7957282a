import { randomBytes } from 'node:crypto';
import type { Data } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';
import { MAX_CODE_LENGTH } from './hash-code.js';
import { factorOf } from '../factor/factor.js';
import { proveFactor, withoutPasskey } from '../factor/second-factor.js';
import { matchPassword } from './match-password.js';
import { findUsers, type StoredUser } from '../users/find-user.js';
import { resetMail } from '../mail/mails.js';
import type { AccountOperation, OperationContext, Services } from '../services.js';
import { parseOnlyTexts } from '../users/parse-input.js';
import { logInAs, refusePassword, whyNoPassword, type LogIn } from '../users/present-user.js';
import { uids } from '../uids.js';

/**
 * Changes the password of the caller, and invalidates earlier tokens.
 * @throws AppError validation, invalidValue, application for callers that are not users, tooManyRequests, and as
 * `proveFactor`
 */
export async function changePassword(
  services: Services,
  input: Data,
  { caller, address, forgive, ...request }: OperationContext,
): Promise<LogIn> {
  if (caller.user === undefined) throw new AppError('application', 'You must be authenticated to reset your password');
  const forgiveAccount = await services.attempts.countAccount('change-password', address, `id ${caller.user}`);
  const { password, currentPassword } = parseOnlyTexts(withoutPasskey(input), [
    { name: 'passwordConfirmation', repeats: 'password' },
    { name: 'password' },
    { name: 'currentPassword' },
    { name: 'secondFactor', optional: true },
  ]);
  const [user] = await findUsers(services, { id: caller.user });
  if (user === undefined) throw new AppError('unauthorized');
  if (!(await matchPassword(services, currentPassword, user))) {
    throw new AppError('wrongPassword');
  }
  await forgive?.();
  await forgiveAccount();
  refusePassword(services, user);
  if (password === currentPassword) {
    throw new AppError('samePassword');
  }
  const proof = await proveFactor(services, user, input, { address });
  const changed = await services.context.entries.update(uids.user, user.id, { password });
  return logInAs(services, changed, request, { first: 'password', proof });
}

/**
 * Sends a code for a new password. The response and its time are the same for known and unknown addresses.
 * @throws AppError validation, application, tooManyRequests
 */
export async function forgotPassword(services: Services, input: Data): Promise<{ readonly ok: true }> {
  refusePassword(services);
  const { email } = parseOnlyTexts(input, [{ name: 'email', email: true }]);
  await services.attempts.countMail('forgot-password', email);
  services.background.run('Sending a mail to reset a password', async () => {
    const [user] = await findUsers(services, { email: email.toLowerCase() });
    if (user === undefined || user['blocked'] === true || whyNoPassword(services, user) !== undefined) return;
    const code = randomBytes(32).toString('hex');
    await services.context.entries.update(uids.user, user.id, { resetPasswordToken: code });
    const mail = resetMail(String(user['email']), code, services.settings.resetPasswordUrl);
    await services.context.mailer.send(mail);
  });
  return { ok: true };
}

/**
 * Sets a new password for the user with the code. A code is valid once, even in concurrent requests.
 * @throws AppError validation, invalidValue, application, tooManyRequests, and as `proveFactor`
 */
export const resetPassword: AccountOperation = (services, input, context) =>
  setPassword(services, input, context, () => true);

/**
 * Sets the first password of an account with the code of an invitation. Whoever has one needs no permission: visitors
 * can be refused to reset passwords.
 * @throws as `resetPassword`
 */
export const acceptInvitation: AccountOperation = (services, input, context) =>
  setPassword(services, input, context, ({ password }) => password === null);

async function setPassword(
  services: Services,
  input: Data,
  { address, forgive, ...request }: OperationContext,
  isFor: (user: StoredUser) => boolean,
): Promise<LogIn> {
  refusePassword(services);
  const { passwordConfirmation, password, code } = parseOnlyTexts(withoutPasskey(input), [
    { name: 'passwordConfirmation' },
    { name: 'password' },
    { name: 'code', maxLength: MAX_CODE_LENGTH },
    { name: 'secondFactor', optional: true },
  ]);
  if (password !== passwordConfirmation) throw new AppError('differentPasswords');
  const users = await findUsers(services, {
    resetPasswordToken: services.hashCode(code),
    resetPasswordExpiresAt: { $gt: new Date().toISOString() },
  });
  const user = users.find(isFor);
  const { entries, storage } = services.context;
  if (user !== undefined) refusePassword(services, user);
  // The expiry time distinguishes a reissued code from the former one.
  const claim = `reset ${user?.id} ${String(user?.['resetPasswordExpiresAt'])}`;
  // Who has not set a factor up yet does so at the next log-in.
  const proof = user && factorOf(user) && (await proveFactor(services, user, input, { address }));
  if (user === undefined || !(await storage.locks.claim(claim))) throw new AppError('usedCode');
  await forgive?.();
  try {
    const changed = await entries.update(uids.user, user.id, { password, resetPasswordToken: null });
    return logInAs(services, changed, request, { first: 'link', proof });
  } catch (error) {
    await storage.locks.release(claim);
    throw error;
  }
}
