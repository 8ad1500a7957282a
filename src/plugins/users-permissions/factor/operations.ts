import type { Caller } from '../../../documents/caller.js';
import type { Entry } from '../../../documents/entries.js';
import { checkPassword } from '../auth/login.js';
import type { AccountOperation, OperationContext, Services } from '../services.js';
import { logInAs } from '../users/present-user.js';
import { changeForCaller, requireChangeable } from '../users/write-users.js';
import { uids } from '../uids.js';
import { ownFactor } from './own-passkeys.js';
import { beginSetup, changeFactor, finishSetup, holdFactor, proveFactor, withFactor } from './second-factor.js';

/** What begins the setup of a second factor. @throws AppError as `logIn`, and application if a factor is set up */
export const begin: AccountOperation = async (services, input, context) =>
  beginSetup(services, await checkPassword(services, input, context));

/** Sets the second factor up, logs in, and shows the recovery codes once. @throws AppError as `finishSetup` */
export const finish: AccountOperation = async (services, input, context) => {
  const user = await checkPassword(services, input, context);
  const { codes, proof } = await finishSetup(services, user, input, context);
  const changed = await services.context.entries.findOne(uids.user, user.id);
  return { ...(await logInAs(services, changed, context, { first: 'password', proof })), recoveryCodes: codes };
};

/** Users remove their own with a proof of it, and log in again. @throws AppError as `proveFactor` */
export const removeOwn: AccountOperation = async (services, input, context) => {
  const user = await ownFactor(services, context);
  await proveFactor(services, user, input, context);
  return changeFactor(services, user.id, async () => ({ result: { ok: true }, change: withFactor(null) }));
};

/**
 * Takes the second factor of a user away, as who lost their telephone needs it, by whoever may change the user.
 * @throws AppError notFound, forbidden
 */
export async function remove(
  services: Services,
  id: number | undefined,
  request: { readonly caller: Caller } & Pick<OperationContext, 'entryForm'>,
): Promise<Entry> {
  const user = await requireChangeable(services, id, request.caller);
  return holdFactor(services.context.storage, user, () => changeForCaller(services, user, withFactor(null), request));
}
