import { randomBytes } from 'node:crypto';
import { AppError } from '../../../errors/app-error.js';
import { LONGEST_CODE } from './hash-code.js';
import { findUsers } from '../users/find-user.js';
import { resetMail } from '../mail/mails.js';
import type { Asker, Data, Parts } from '../context.js';
import { parseTexts } from '../users/parse-input.js';
import { logInAs, type LogIn } from '../users/present-user.js';
import { uids } from '../uids.js';

/**
 * Changes the password of the user who asks, and ends the tokens that were given before.
 * @throws AppError validation, invalidValue, application for callers that are no users, tooManyRequests
 */
export async function changePassword(parts: Parts, input: Data, { caller, address }: Asker): Promise<LogIn> {
  if (caller.user === undefined) throw new AppError('application', 'You must be authenticated to reset your password');
  const { passwordConfirmation, password, currentPassword } = parseTexts(input, [
    { name: 'passwordConfirmation' },
    { name: 'password' },
    { name: 'currentPassword' },
  ]);
  if (password !== passwordConfirmation) {
    throw new AppError('validation', [{ path: ['passwordConfirmation'], message: 'Passwords do not match' }]);
  }
  const attempts = [
    await parts.attempts.countAddress('change-password', address),
    await parts.attempts.countAccount('change-password', address, `id ${caller.user}`),
  ];
  const [user] = await findUsers(parts, { id: caller.user });
  if (user === undefined) throw new AppError('unauthorized');
  if (!(await parts.context.passwords.matches(currentPassword, user.password ?? undefined))) {
    throw new AppError('invalidValue', 'The provided current password is invalid');
  }
  for (const succeeded of attempts) await succeeded();
  if (password === currentPassword) {
    throw new AppError('invalidValue', 'Your new password must be different than your current password');
  }
  return logInAs(parts, await parts.context.entries.update(uids.user, user.id, { password }));
}

/**
 * Sends a code for a new password. The answer and its time are the same whether the address is known or not.
 * @throws AppError validation, tooManyRequests
 */
export async function forgotPassword(parts: Parts, input: Data, { address }: Asker): Promise<{ readonly ok: true }> {
  const { email } = parseTexts(input, [{ name: 'email', email: true }]);
  await parts.attempts.countAddress('forgot-password', address);
  await parts.attempts.countMail('forgot-password', email);
  parts.background.run('Sending a mail to reset a password', async () => {
    const [user] = await findUsers(parts, { email: email.toLowerCase() });
    if (user === undefined || user['blocked'] === true) return;
    const code = randomBytes(32).toString('hex');
    await parts.context.entries.update(uids.user, user.id, { resetPasswordToken: code });
    await parts.mailer.send(resetMail({ email: String(user['email']) }, code, parts.settings.resetPasswordUrl));
  });
  return { ok: true };
}

/**
 * Sets a new password for the user who has the code. A code works once, however many requests bring it at a time.
 * @throws AppError validation, invalidValue, tooManyRequests
 */
export async function resetPassword(parts: Parts, input: Data, { address }: Asker): Promise<LogIn> {
  const { passwordConfirmation, password, code } = parseTexts(input, [
    { name: 'passwordConfirmation' },
    { name: 'password' },
    { name: 'code', maxLength: LONGEST_CODE },
  ]);
  if (password !== passwordConfirmation) throw new AppError('invalidValue', 'Passwords do not match');
  const succeeded = await parts.attempts.countAddress('reset-password', address);
  const [user] = await findUsers(parts, {
    resetPasswordToken: parts.hashCode(code),
    resetPasswordExpiresAt: { $gt: new Date().toISOString() },
  });
  const { claims, entries } = parts.context;
  // The moment it expires makes a code that is given a second time a new one.
  const claim = `reset ${user?.id} ${String((user?.['resetPasswordExpiresAt'] as Date | undefined)?.getTime())}`;
  if (user === undefined || !(await claims.claim(claim))) throw new AppError('invalidValue', 'Incorrect code provided');
  await succeeded();
  try {
    return logInAs(parts, await entries.update(uids.user, user.id, { password, resetPasswordToken: null }));
  } catch (error) {
    await claims.release(claim);
    throw error;
  }
}
