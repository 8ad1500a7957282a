import { AppError } from '../../errors/app-error.js';
import type { Entry } from '../../documents/entries.js';
import { sendConfirmation } from './confirmation.js';
import type { Asker, Data, Parts } from './parts.js';
import { parseTexts } from './parse-input.js';
import { askedAfterWrite } from './present-user.js';
import { isAddressTaken, isNameTaken } from './taken-names.js';
import { uids } from './uids.js';

/** What nobody says of oneself. */
const protectedNames = new Set(['provider', 'role', 'confirmed', 'blocked']);

/**
 * Registers a user with the default role. Gives a token, unless the address has to be confirmed first.
 * @throws AppError validation, application, tooManyRequests
 */
export async function register(
  parts: Parts,
  input: Data,
  { caller, address }: Asker,
): Promise<{ readonly jwt?: string; readonly user: Data }> {
  const { context, settings, userType, tokens } = parts;
  if (!settings.allowRegister) throw new AppError('application', 'Register action is currently disabled');
  const names = [{ name: 'email', email: true }, { name: 'username' }, { name: 'password' }] as const;
  const { email, username, password } = parseTexts(input, names);
  await parts.attempts.begin('register', address);
  const taken = (await isAddressTaken(parts, email)) || (await isNameTaken(parts, username));
  if (taken) throw new AppError('application', TAKEN);
  const role = await context.entries.findFirst(uids.role, { filters: { type: settings.defaultRole }, fields: ['id'] });
  if (role === undefined) throw new AppError('application', 'Impossible to find the default role');
  const data = {
    ...allowedFields(input, parts),
    email,
    username,
    password,
    provider: 'local',
    role: role.id,
    confirmed: !settings.emailConfirmation,
  };
  const asked = askedAfterWrite(parts, caller);
  const user = (await context.documents.create(userType, data, asked).catch(explainTaken)) as Entry;
  if (!settings.emailConfirmation) return { jwt: tokens.issue({ passwordChangedAt: null, id: user.id }), user };
  sendConfirmation(parts, email);
  return { user };
}

const TAKEN = 'Email or Username are already taken';

/** Somebody else was faster. */
function explainTaken(error: unknown): never {
  const issues = error instanceof AppError ? (error.details?.errors ?? []) : [];
  const taken = issues.some(({ message }) => message === 'This attribute must be unique');
  throw taken ? new AppError('application', TAKEN) : error;
}

/** What else one may say of oneself: what is public of a user, or what the settings list. */
function allowedFields(input: Data, { userType, settings }: Parts): Data {
  const allowed = [...userType.attributes.values()].filter(
    (attribute) =>
      !protectedNames.has(attribute.name) &&
      (settings.allowedFields === undefined ? !attribute.private : settings.allowedFields.includes(attribute.name)),
  );
  return Object.fromEntries(
    allowed.filter(({ name }) => Object.hasOwn(input, name)).map(({ name }) => [name, input[name]]),
  );
}
