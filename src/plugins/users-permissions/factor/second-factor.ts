import type { Data } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';
import { nextSecond } from '../auth/jwt.js';
import { parseTexts } from '../users/parse-input.js';
import type { OperationContext, Services } from '../services.js';
import { uids } from '../uids.js';
import { factorOf, passkeysOf, type Factor, type Proof } from './factor.js';
import { addressOf, newRecoveryCodes, newSecret, recoveryCodeIn, stepOfCode } from './one-time-codes.js';

type User = Data & { readonly id: number };

const MAX_LENGTH = 64;
const CODE = [{ name: 'secondFactor', maxLength: MAX_LENGTH }] as const;
const NAME = [{ name: 'name', maxLength: MAX_LENGTH }] as const;
/** What a passkey is called whose user has not named it. */
const UNNAMED = 'Passkey';
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
 * Checks the second factor in an input: a code as `secondFactor`, or what a passkey has signed as `passkey`. Undefined:
 * this user needs none. Each is good once, whichever process gets it.
 * @throws AppError secondFactorNeeded with what a passkey has to sign, secondFactorMissing, validation, invalidValue,
 * tooManyRequests
 */
export async function proveFactor(
  services: Services,
  user: User,
  input: Data,
  { address }: Pick<OperationContext, 'address'>,
): Promise<Proof | undefined> {
  const factor = factorOf(user);
  if (factor === undefined) {
    if (await mustProve(services, user)) throw new AppError('secondFactorMissing');
    return undefined;
  }
  const { passkey } = input;
  if (passkey === undefined && input['secondFactor'] === undefined) {
    const asked = await services.passkeys.toProve(user.id, passkeysOf(factor));
    throw new AppError('secondFactorNeeded', { codes: factor.secret !== undefined, ...(asked && { passkey: asked }) });
  }
  const code = passkey === undefined ? parseTexts(input, CODE).secondFactor : undefined;
  const forgive = await services.attempts.countAccount('second-factor', address, `id ${user.id}`);
  const proof = code === undefined ? await takePasskey(services, user, passkey) : await takeAny(services, user, code);
  await forgive();
  return proof;
}

/** An input without what a passkey has signed, which is no text. */
export const withoutPasskey = ({ passkey: _signed, ...texts }: Data): Data => texts;

/** @throws AppError invalidValue */
async function takeAny(services: Services, user: User, code: string): Promise<Proof> {
  const { secret } = factorOf(user) ?? {};
  if (secret !== undefined && (await takeCode(services, user.id, secret, code))) return 'code';
  if (await takeRecoveryCode(services, user, code)) return 'recovery code';
  throw new AppError('wrongSecondFactor');
}

/** @throws AppError invalidValue */
const takePasskey = (services: Services, { id }: User, input: unknown): Promise<Proof> =>
  // Its counter is compared with that of the signature before.
  changeFactor(services, id, async (factor) => {
    const passkeys = passkeysOf(factor);
    const used = await services.passkeys.prove(id, passkeys, input);
    const isCounted = passkeys.some((one) => one.id === used.id && one.counter !== used.counter);
    const next = passkeys.map((one) => (one.id === used.id ? used : one));
    return {
      result: 'passkey',
      ...(factor && isCounted && { change: { secondFactor: { ...factor, passkeys: next } } }),
    };
  });

/** Whatever writes the factor of a user holds it: others write what they have read of it before. */
export const holdFactor = <T>(
  { locks }: Pick<Services['context']['storage'], 'locks'>,
  user: number,
  work: () => Promise<T>,
): Promise<T> => locks.hold(`second factor of ${user}`, work);

/**
 * Changes the factor of a user as it is now, one after the other.
 * @param work returns the result, and what is stored of the user; nothing if that stays as it is
 * @throws AppError the errors of `work`
 */
export const changeFactor = <T>(
  { context: { entries, storage } }: Pick<Services, 'context'>,
  user: number,
  work: (factor: Factor | undefined) => Promise<{ readonly result: T; readonly change?: Data }>,
): Promise<T> =>
  holdFactor(storage, user, async () => {
    const found = await entries.findFirst(uids.user, { filters: { id: user }, fields: ['secondFactor'] });
    const { result, change } = await work(found && factorOf(found));
    if (change !== undefined) await entries.update(uids.user, user, change);
    return result;
  });

async function takeCode({ context, seal }: Services, user: number, sealed: string, code: string): Promise<boolean> {
  const secret = seal.open(sealed);
  if (secret === undefined) {
    context.log.warn(`The second factor of user ${user} cannot be read: it was set up with another JWT_SECRET`);
    return false;
  }
  const step = stepOfCode(secret, code);
  return step !== undefined && context.storage.locks.claim(`second factor of ${user}: ${step}`);
}

async function takeRecoveryCode(services: Services, user: User, code: string): Promise<boolean> {
  const used = services.hashCode(recoveryCodeIn(code));
  const isLeft = (factor: Factor | undefined): factor is Factor => factor?.recovery.includes(used) === true;
  if (!isLeft(factorOf(user))) return false;
  // Each removes one from what the former has left.
  return changeFactor(services, user.id, async (factor) => {
    if (!isLeft(factor)) return { result: false };
    const recovery = factor.recovery.filter((hash) => hash !== used);
    return { result: true, change: { secondFactor: { ...factor, recovery } } };
  });
}

/**
 * What begins the setup: a secret for an app of codes, which waits for the first code of it, and what a browser makes a
 * passkey of, where it can.
 * @throws AppError application if a factor is set up
 */
export async function beginSetup({ context, seal, passkeys }: Services, user: User): Promise<Data> {
  refuseAnother(factorOf(user));
  const secret = newSecret();
  const { host } = new URL(context.settings.publicUrl ?? 'http://content-service');
  await context.storage.locks.release(setupKey(user));
  await context.storage.locks.put(setupKey(user), seal.seal(secret), SETUP_LIFETIME);
  const passkey = await passkeys.toCreate('set up', user, []);
  return { secret, address: addressOf(secret, host, String(user['username'])), ...(passkey && { passkey }) };
}

/**
 * Sets the second factor up, as the first code of its app proves, or with a new passkey. Earlier tokens of the user
 * end.
 * @returns the recovery codes, which are never shown again
 * @throws AppError validation, invalidValue, application if a factor is set up, tooManyRequests
 */
export async function finishSetup(
  services: Services,
  user: User,
  input: Data,
  { address }: Pick<OperationContext, 'address'>,
): Promise<{ readonly codes: readonly string[]; readonly proof: Proof }> {
  const { newPasskey } = input;
  const code = newPasskey === undefined ? parseTexts(input, CODE).secondFactor : undefined;
  const name = nameIn(input);
  const forgive = await services.attempts.countAccount('second-factor', address, `id ${user.id}`);
  const codes = newRecoveryCodes();
  const recovery = codes.map((text) => services.hashCode(recoveryCodeIn(text)));
  const proof = await changeFactor(services, user.id, async (factor) => {
    // Whoever knows the password may have begun before the user finished.
    refuseAnother(factor);
    const own =
      code === undefined
        ? { passkeys: [await services.passkeys.readCreated('set up', user.id, newPasskey, name)] }
        : { secret: await takeFirstCode(services, user, code) };
    return {
      result: code === undefined ? ('passkey' as const) : ('code' as const),
      change: withFactor({ ...own, recovery }),
    };
  });
  await forgive();
  return { codes, proof };
}

/** The sealed secret of which this is the first code. @throws AppError invalidValue */
async function takeFirstCode(services: Services, user: User, code: string): Promise<string> {
  const { locks } = services.context.storage;
  const sealed = await locks.take(setupKey(user));
  if (sealed === undefined) throw new AppError('expiredSetup');
  try {
    if (!(await takeCode(services, user.id, sealed, code))) throw new AppError('wrongSecondFactor');
    return sealed;
  } catch (error) {
    // What was refused can be tried again.
    await locks.put(setupKey(user), sealed, SETUP_LIFETIME);
    throw error;
  }
}

/** What a new passkey is called. @throws AppError validation */
export const nameIn = (input: Data): string => (input['name'] === undefined ? UNNAMED : parseTexts(input, NAME).name);

/** Another second factor of a user, or none any more: tokens that the one before has proved end. */
export const withFactor = (secondFactor: Data | null): Data => ({
  secondFactor,
  passwordChangedAt: nextSecond().toISOString(),
});

/** Whoever knows the password alone must not replace the factor. */
function refuseAnother(factor: Factor | undefined): void {
  if (factor !== undefined) throw new AppError('setUpAlready');
}

const setupKey = ({ id }: User): string => `setup of the second factor of ${id}`;
