import type { Data } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';
import type { AccountOperation, OperationContext, Services } from '../services.js';
import { findUsers, type StoredUser } from '../users/find-user.js';
import { logInAs, refusePassword } from '../users/present-user.js';
import { factorOf, passkeysOf, type Factor, type Passkey } from './factor.js';
import { changeFactor, nameIn, proveFactor, withFactor } from './second-factor.js';

/** Of one user. */
const MOST_PASSKEYS = 10;

/** The caller as stored. @throws AppError unauthorized */
async function ownAccount(services: Services, { caller }: Pick<OperationContext, 'caller'>): Promise<StoredUser> {
  const [user] = caller.user === undefined ? [] : await findUsers(services, { id: caller.user });
  if (user === undefined) throw new AppError('unauthorized');
  return user;
}

/** The caller, who has a second factor. @throws AppError unauthorized, application */
export async function ownFactor(services: Services, context: Pick<OperationContext, 'caller'>): Promise<StoredUser> {
  const user = await ownAccount(services, context);
  requireFactor(factorOf(user));
  return user;
}

/** What the caller has set up: nothing of a key. @throws AppError unauthorized */
export async function showOwn(services: Services, context: Pick<OperationContext, 'caller'>): Promise<Data> {
  const user = await ownAccount(services, context);
  const factor = factorOf(user);
  return {
    isSetUp: factor !== undefined,
    codes: factor?.secret !== undefined,
    recoveryCodes: factor?.recovery.length ?? 0,
    passkeys: passkeysOf(factor).map(shown),
  };
}

/**
 * What a browser makes one more passkey of the caller of, who has proved the factor that is there.
 * @throws AppError as `proveFactor`, and application if none can be made
 */
export const beginPasskey: AccountOperation = async (services, input, context) => {
  const user = await ownFactor(services, context);
  const passkeys = passkeysOf(factorOf(user));
  if (passkeys.length >= MOST_PASSKEYS) throw new AppError('tooManyPasskeys', MOST_PASSKEYS);
  await proveFactor(services, user, input, context);
  const passkey = await services.passkeys.toCreate('add', user, passkeys);
  if (passkey === undefined) throw new AppError('noPasskeysHere');
  return { passkey };
};

/** Adds the passkey that was made of `beginPasskey`. @throws AppError validation, invalidValue, application */
export const addPasskey: AccountOperation = async (services, input, context) => {
  const { id } = await ownFactor(services, context);
  const name = nameIn(input);
  return changeFactor(services, id, async (stored) => {
    const factor = requireFactor(stored);
    const passkeys = passkeysOf(factor);
    const added = await services.passkeys.readCreated('add', id, input['newPasskey'], name);
    if (passkeys.length >= MOST_PASSKEYS || passkeys.some(({ credential }) => credential === added.credential))
      throw new AppError('knownPasskey');
    return { result: shown(added), change: { secondFactor: { ...factor, passkeys: [...passkeys, added] } } };
  });
};

/** @throws AppError notFound, validation, unauthorized, application */
export async function renamePasskey(
  services: Services,
  passkey: string | undefined,
  input: Data,
  context: Pick<OperationContext, 'caller'>,
): Promise<Data> {
  const { id } = await ownFactor(services, context);
  const name = nameIn(input);
  return changeFactor(services, id, async (stored) => {
    const { factor, found } = pick(stored, passkey);
    const renamed = { ...found, name };
    const passkeys = passkeysOf(factor).map((one) => (one === found ? renamed : one));
    return { result: shown(renamed), change: { secondFactor: { ...factor, passkeys } } };
  });
}

/**
 * Removes a passkey with a proof of the factor, and logs in again: tokens that it may have proved end.
 * @throws AppError notFound, as `proveFactor`, and application if it is all that there is
 */
export async function removePasskey(
  services: Services,
  passkey: string | undefined,
  input: Data,
  context: OperationContext,
): Promise<unknown> {
  // It gives a token.
  refusePassword(services);
  const user = await ownFactor(services, context);
  pick(factorOf(user), passkey);
  const proof = await proveFactor(services, user, input, context);
  await changeFactor(services, user.id, async (stored) => {
    const { factor, others } = pick(stored, passkey);
    if (others.length === 0 && factor.secret === undefined) throw new AppError('onlyPasskey');
    return { result: undefined, change: withFactor({ ...factor, passkeys: others }) };
  });
  return logInAs(services, await ownAccount(services, context), context, { first: 'token', proof });
}

function requireFactor(factor: Factor | undefined): Factor {
  if (factor === undefined) throw new AppError('application', 'There is no second factor');
  return factor;
}

/** @throws AppError notFound */
function pick(stored: Factor | undefined, id: string | undefined) {
  const factor = requireFactor(stored);
  const passkeys = passkeysOf(factor);
  const found = passkeys.find((one) => one.id === id);
  if (found === undefined) throw new AppError('notFound', 'Passkey not found');
  return { factor, found, others: passkeys.filter((one) => one !== found) };
}

const shown = ({ id, name, since }: Passkey): Data => ({ id, name, since });
