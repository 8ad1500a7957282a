import { randomBytes } from 'node:crypto';
import { AppError } from '../../../errors/app-error.js';
import { LONGEST_CODE } from './hash-code.js';
import { findUsers } from '../users/find-user.js';
import { confirmationMail } from '../mail/mails.js';
import type { Asker, Data, Parts } from '../context.js';
import { parseTexts } from '../users/parse-input.js';
import { logInAs, type LogIn } from '../users/present-user.js';
import { uids } from '../uids.js';

/**
 * Confirms the address of the user who has the code; it works once. Gives the user as they were before.
 * @throws AppError validation, invalidValue, tooManyRequests
 */
export async function confirmAddress(parts: Parts, input: Data, { address }: Asker): Promise<LogIn> {
  const { confirmation } = parseTexts(input, [{ name: 'confirmation', maxLength: LONGEST_CODE }]);
  const succeeded = await parts.attempts.countAddress('confirmation', address);
  const [user] = await findUsers(parts, {
    confirmationToken: parts.hashCode(confirmation),
    confirmationExpiresAt: { $gt: new Date().toISOString() },
  });
  if (user === undefined) throw new AppError('invalidValue', 'Invalid token');
  await parts.context.entries.update(uids.user, user.id, { confirmed: true, confirmationToken: null });
  await succeeded();
  return logInAs(parts, user);
}

/**
 * Sends a new code to an address that is not confirmed. The answer is the same for every address.
 * @throws AppError validation, tooManyRequests
 */
export async function sendConfirmationAgain(parts: Parts, input: Data, { address }: Asker): Promise<Data> {
  const { email } = parseTexts(input, [{ name: 'email', email: true }]);
  await parts.attempts.countAddress('confirmation', address);
  await parts.attempts.countMail('confirmation', email);
  sendConfirmation(parts, email);
  return { email, sent: true };
}

/** Sends a code to the user with this address, if it is not confirmed. Nobody waits for it. */
export function sendConfirmation(parts: Parts, email: string): void {
  parts.background.run('Sending a mail to confirm an address', async () => {
    const [user] = await findUsers(parts, { email: email.toLowerCase() });
    if (user === undefined || user['confirmed'] === true || user['blocked'] === true) return;
    const code = randomBytes(20).toString('hex');
    await parts.context.entries.update(uids.user, user.id, { confirmationToken: code });
    const recipient = { email: String(user['email']) };
    await parts.mailer.send(confirmationMail(recipient, code, parts.settings.emailConfirmationUrl));
  });
}
