import type { Data } from '../../../config/record.js';
import type { Caller } from '../../../documents/caller.js';
import { dropUnreadableTargets, sentValues, type SentValues } from '../../../documents/input/permitted-data.js';
import { AppError } from '../../../errors/app-error.js';
import type { Entry } from '../../../documents/entries.js';
import { sendConfirmation } from './confirmation.js';
import type { OperationContext, Services } from '../services.js';
import { parseTexts } from '../users/parse-input.js';
import { findDefaultRole, passwordTime } from '../users/find-user.js';
import { issueToken, queryAfterRegistration, refusePassword } from '../users/present-user.js';
import { isAddressTaken, isNameTaken, whileReserved } from '../users/taken-names.js';
import { userPrivileges } from '../../contract/access/parse-permissions.js';

/**
 * Registers a user with the default role. Returns a token, unless the address must be confirmed first.
 * @throws AppError validation, application, tooManyRequests
 */
export async function register(
  services: Services,
  input: Data,
  { caller, entryForm, arrived, message }: OperationContext,
): Promise<{ readonly jwt?: string; readonly user: Data }> {
  const { context, settings, userType } = services;
  if (!settings.allowRegister) throw new AppError('application', 'Register action is currently disabled');
  refusePassword(services);
  const names = [{ name: 'email', email: true }, { name: 'username' }, { name: 'password' }] as const;
  const { email, username, password } = parseTexts(input, names);
  const allowed = allowedFields(input, services, caller, sentValues(arrived));
  if (entryForm?.refusesUnknown === true)
    refuseOthers(input, [...names.map(({ name }) => name), ...Object.keys(allowed)]);
  const role = await findDefaultRole(services);
  const data = {
    ...allowed,
    email,
    username,
    password,
    provider: 'local',
    role,
    confirmed: !settings.emailConfirmation,
  };
  const request = { ...queryAfterRegistration(services, caller, entryForm), limitedBy: caller };
  const user = await whileReserved(services, [email, username], async () => {
    const isTaken = (await isAddressTaken(services, email)) || (await isNameTaken(services, username));
    if (isTaken) throw new AppError('accountTaken');
    return (await context.documents.create(userType, data, request).catch(explainTaken)) as Entry;
  });
  if (!settings.emailConfirmation) {
    const registered = { ...(await passwordTime(services, user.id)), username, id: user.id };
    return { ...(await issueToken(services, registered, { message }, { first: 'password' })), user };
  }
  sendConfirmation(services, email);
  return { user };
}

/** @throws AppError invalidValue */
function refuseOthers(input: Data, known: readonly string[]): void {
  const others = Object.keys(input).filter((name) => !known.includes(name));
  if (others.length > 0) throw new AppError('invalidValue', `Invalid parameters: ${others.join(', ')}`);
}

/** Another request was faster. */
function explainTaken(error: unknown): never {
  const isTaken = error instanceof AppError && error.issues.some(({ rule }) => rule === 'unique');
  throw isTaken ? new AppError('accountTaken') : error;
}

/**
 * The other attributes that users can set for themselves: the public plain values, or the configured list. Relations
 * must be listed, and the caller must be allowed to read their target: taking over a one-to-one relation removes it
 * from another user. Code of a project can set relations as in Strapi v4.
 */
function allowedFields(input: Data, { userType, settings }: Services, caller: Caller, sent: SentValues): Data {
  const allowed = [...userType.attributes.values()].filter(
    ({ name, kind, private: isPrivate }) =>
      !userPrivileges.includes(name) &&
      (settings.allowedFields?.includes(name) ?? (!isPrivate && (kind === 'scalar' || !sent.has(name, input[name])))),
  );
  const entered = allowed.filter(({ name }) => Object.hasOwn(input, name)).map(({ name }) => [name, input[name]]);
  return dropUnreadableTargets(Object.fromEntries(entered), userType, caller, sent);
}
