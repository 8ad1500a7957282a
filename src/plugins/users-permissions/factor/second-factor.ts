import type { Data } from '../../../config/record.js';
import type { Entry } from '../../../documents/entries.js';
import { AppError } from '../../../errors/app-error.js';
import { nextSecond } from '../auth/jwt.js';
import { parseTexts } from '../users/parse-input.js';
import type { OperationContext, Services } from '../services.js';
import { uids } from '../uids.js';
import { factorOf, type Factor } from './factor.js';
import { addressOf, newRecoveryCodes, newSecret, recoveryCodeIn, stepOfCode } from './one-time-codes.js';

type User = Data & { readonly id: number };

const MAX_LENGTH = 64;
const CODE = [{ name: 'secondFactor', maxLength: MAX_LENGTH }] as const;
/** Milliseconds for which a secret waits for the first code that is made of it. */
const SETUP_LIFETIME = 15 * 60_000;

/** Whether a user logs in with a code: they have set it up, or `access.json` asks it of their role. */
export const needsFactor = ({ rules }: Services, hasFactor: boolean, roleType: string | undefined): boolean =>
  hasFactor || rules.needSecondFactor(roleType);

/** As `needsFactor`, of a user without their role. */
export async function mustProve(services: Services, user: User): Promise<boolean> {
  if (factorOf(user) !== undefined || !services.rules.anyNeedsSecondFactor()) return factorOf(user) !== undefined;
  return needsFactor(services, false, (await services.users.user(user.id))?.roleType);
}

/**
 * Checks the code of the second factor in an input; false: this user needs none. Each code is good once, whichever
 * process gets it.
 * @throws AppError secondFactorNeeded, secondFactorMissing, validation, invalidValue, tooManyRequests
 */
export async function proveFactor(
  services: Services,
  user: User,
  input: Data,
  { address }: Pick<OperationContext, 'address'>,
): Promise<boolean> {
  const factor = factorOf(user);
  if (factor === undefined) {
    if (await mustProve(services, user)) throw new AppError('secondFactorMissing');
    return false;
  }
  if (input['secondFactor'] === undefined) throw new AppError('secondFactorNeeded');
  const { secondFactor: code } = parseTexts(input, CODE);
  const forgive = await services.attempts.countAccount('second-factor', address, `id ${user.id}`);
  if (!((await takeCode(services, user.id, factor.secret, code)) || (await takeRecoveryCode(services, user, code))))
    throw new AppError('invalidValue', 'Invalid code of the second factor');
  await forgive();
  return true;
}

async function takeCode({ context, seal }: Services, user: number, sealed: string, code: string): Promise<boolean> {
  const secret = seal.open(sealed);
  if (secret === undefined) {
    context.log.warn(`The second factor of user ${user} cannot be read: it was set up with another JWT_SECRET`);
    return false;
  }
  const step = stepOfCode(secret, code);
  return step !== undefined && context.storage.locks.claim(`second factor of ${user}: ${step}`);
}

async function takeRecoveryCode({ context, hashCode }: Services, user: User, code: string): Promise<boolean> {
  const used = hashCode(recoveryCodeIn(code));
  const isLeft = (factor: Factor | undefined): factor is Factor => factor?.recovery.includes(used) === true;
  if (!isLeft(factorOf(user))) return false;
  // One after the other: each removes one from what the former has left.
  return context.storage.locks.hold(`second factor of ${user.id}`, async () => {
    const found = await context.entries.findFirst(uids.user, { filters: { id: user.id }, fields: ['secondFactor'] });
    const factor = found && factorOf(found);
    if (!isLeft(factor)) return false;
    const recovery = factor.recovery.filter((hash) => hash !== used);
    await context.entries.update(uids.user, user.id, { secondFactor: { ...factor, recovery } });
    return true;
  });
}

/** A secret for an app of codes, which waits for the first code of it. @throws AppError application */
export async function beginSetup({ context, seal }: Services, user: User): Promise<Data> {
  refuseAnother(user);
  const secret = newSecret();
  const { host } = new URL(context.settings.publicUrl ?? 'http://content-service');
  await context.storage.locks.release(setupKey(user));
  await context.storage.locks.put(setupKey(user), seal.seal(secret), SETUP_LIFETIME);
  return { secret, address: addressOf(secret, host, String(user['username'])) };
}

/**
 * Sets the second factor up, as the first code of its app proves. Earlier tokens of the user end.
 * @returns the user, and the recovery codes, which are never shown again
 * @throws AppError validation, invalidValue, tooManyRequests
 */
export async function finishSetup(
  services: Services,
  user: User,
  input: Data,
  { address }: Pick<OperationContext, 'address'>,
): Promise<{ readonly changed: Entry; readonly codes: readonly string[] }> {
  const { secondFactor: code } = parseTexts(input, CODE);
  const { context, hashCode } = services;
  const { locks } = context.storage;
  const forgive = await services.attempts.countAccount('second-factor', address, `id ${user.id}`);
  const sealed = await locks.take(setupKey(user));
  if (sealed === undefined)
    throw new AppError('invalidValue', 'The setup of the second factor has expired: begin again');
  const codes = newRecoveryCodes();
  try {
    if (!(await takeCode(services, user.id, sealed, code)))
      throw new AppError('invalidValue', 'Invalid code of the second factor');
  } catch (error) {
    // What was refused can be tried again.
    await locks.put(setupKey(user), sealed, SETUP_LIFETIME);
    throw error;
  }
  const secondFactor = { secret: sealed, recovery: codes.map((text) => hashCode(recoveryCodeIn(text))) };
  const changed = await context.entries.update(uids.user, user.id, withFactor(secondFactor));
  await forgive();
  return { changed, codes };
}

/** Another second factor of a user, or none any more: tokens that the one before has proved end. */
export const withFactor = (secondFactor: Data | null): Data => ({
  secondFactor,
  passwordChangedAt: nextSecond().toISOString(),
});

/** Whoever knows the password alone must not replace the factor. */
function refuseAnother(user: User): void {
  if (factorOf(user) !== undefined) throw new AppError('application', 'The second factor is set up already');
}

const setupKey = ({ id }: User): string => `setup of the second factor of ${id}`;
