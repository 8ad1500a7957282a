import { randomBytes } from 'node:crypto';
import type { Data } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';
import { MAX_CODE_LENGTH } from './hash-code.js';
import { findUsers } from '../users/find-user.js';
import { confirmationMail } from '../mail/mails.js';
import type { OperationContext, Services } from '../services.js';
import { parseTexts } from '../users/parse-input.js';
import { logInAs, refusePassword, type LogIn } from '../users/present-user.js';
import { uids } from '../uids.js';

/**
 * Confirms the address of the user with the code, which is valid once. Returns the user before the change.
 * @throws AppError validation, invalidValue, application, tooManyRequests
 */
export async function confirmAddress(
  services: Services,
  input: Data,
  { forgive, ...request }: OperationContext,
): Promise<LogIn> {
  const { confirmation } = parseTexts(input, [{ name: 'confirmation', maxLength: MAX_CODE_LENGTH }]);
  const [user] = await findUsers(services, {
    confirmationToken: services.hashCode(confirmation),
    confirmationExpiresAt: { $gt: new Date().toISOString() },
  });
  if (user === undefined) throw new AppError('invalidValue', 'Invalid token');
  refusePassword(services, user);
  await services.context.entries.update(uids.user, user.id, { confirmed: true, confirmationToken: null });
  await forgive?.();
  return logInAs(services, user, request, { first: 'link' });
}

/**
 * Sends a new code to an address that is not confirmed. The response is the same for every address.
 * @throws AppError validation, tooManyRequests
 */
export async function sendConfirmationAgain(services: Services, input: Data): Promise<Data> {
  const { email } = parseTexts(input, [{ name: 'email', email: true }]);
  await services.attempts.countMail('confirmation', email);
  sendConfirmation(services, email);
  return { email, sent: true };
}

/** Sends a code to the user with this address in the background, if it is not confirmed. */
export function sendConfirmation(services: Services, email: string): void {
  services.background.run('Sending a mail to confirm an address', async () => {
    const [user] = await findUsers(services, { email: email.toLowerCase() });
    if (user === undefined || user['confirmed'] === true || user['blocked'] === true) return;
    const code = randomBytes(20).toString('hex');
    await services.context.entries.update(uids.user, user.id, { confirmationToken: code });
    const mail = confirmationMail(String(user['email']), code, services.settings.emailConfirmationUrl);
    await services.context.mailer.send(mail);
  });
}
