import type { Data } from '../../../config/record.js';
import type { Attribute } from '../../../content-types/model/types.js';
import { system, type Caller } from '../../../documents/caller.js';
import type { EntryRequest } from '../../../documents/context.js';
import { authorOf } from '../../../documents/write/sign-write.js';
import { withoutRelations } from '../../../documents/read-operation.js';
import { permittedSelection } from '../../../documents/rights.js';
import type { Entry } from '../../../documents/entries.js';
import { AppError } from '../../../errors/app-error.js';
import { readableFields, parseSelection } from '../../../query/parse/parse-selection.js';
import { inForm, plainForm, type EntryForm } from '../../contract/entry-form.js';
import { factorsIn, type Means } from '../factor/factor.js';
import { mustProve } from '../factor/second-factor.js';
import type { OperationContext, Services } from '../services.js';
import { newSession } from '../sessions/session.js';
import { uids } from '../uids.js';

/** The attributes that the rules of a user's role hide from the user at login. */
const withheldFromOwn = ({ rules }: Services, roleType: string | undefined): ReadonlySet<Attribute> =>
  new Set(
    ['find', 'findOne'].flatMap((name) => [...(rules.of(roleType)?.get(`${uids.user}.${name}`)?.withheld ?? [])]),
  );

/** The response to a registration: the attributes that the new user may see. */
export const queryAfterRegistration = (services: Services, caller: Caller, form?: EntryForm): EntryRequest =>
  queryAfterWrite(
    services,
    { ...caller, withheld: () => withheldFromOwn(services, services.settings.defaultRole) },
    form,
  );

/** The response to a write of a user, with the role if the caller may see roles. The write itself is internal. */
export function queryAfterWrite(
  { context, userType }: Services,
  caller: Caller,
  { audience, presenter }: EntryForm = plainForm,
): EntryRequest {
  const populate = caller.may(`${uids.role}.find`) ? ['role'] : [];
  const selection = parseSelection({ populate }, userType, audience, context.limits);
  return {
    caller: system,
    presenter,
    selection: permittedSelection(selection, userType, caller, 'update'),
  };
}

/** The response to a deletion: all public attributes without relations. */
export const queryAfterDelete = (services: Services, caller: Caller, form?: EntryForm): EntryRequest =>
  withoutRelations(queryAfterWrite(services, caller, form));

/**
 * Why nobody logs in by a password, or by the mail that replaces one; undefined: it is allowed. Of an account of a
 * provider with a table of roles only a login there shows that its claims still hold.
 * @param user undefined: whoever it is
 */
export function whyNoPassword(
  { settings }: Services,
  user?: Data,
): 'disabledProvider' | 'onlyWithProvider' | undefined {
  if (!settings.passwords) return 'disabledProvider';
  const isGoverned = settings.providers.some(({ name, roles }) => roles !== undefined && name === user?.['provider']);
  return isGoverned ? 'onlyWithProvider' : undefined;
}

/** @throws AppError disabledProvider, onlyWithProvider, as `whyNoPassword` */
export function refusePassword(services: Services, user?: Data): void {
  const reason = whyNoPassword(services, user);
  if (reason !== undefined) throw new AppError(reason);
}

/** The response to a login; without a token for a user who has to prove a second factor first. */
export interface LogIn {
  readonly jwt?: string;
  readonly user: Data;
}

/** What a log-in knows of the request. */
type LogInContext = Pick<OperationContext, 'entryForm' | 'message'>;

/**
 * @param means what has just proved who it is
 * @throws AppError application, as `refusePassword`
 */
export async function logInAs(services: Services, user: Entry, request: LogInContext, means: Means): Promise<LogIn> {
  const { context, rules, userType, users } = services;
  const role = rules.isEmpty() ? undefined : (await users.user(user.id))?.roleType;
  const withheld = withheldFromOwn(services, role);
  const fields = readableFields(userType.attributes, 'client').filter((field) => !withheld.has(field));
  const shown = Object.fromEntries(fields.map(({ name }) => [name, user[name]]));
  const [formed = { id: user.id }] = await inForm(
    context.documents,
    userType,
    [{ id: user.id, ...shown }],
    request.entryForm,
  );
  return { ...(await issueToken(services, user, request, means)), user: formed };
}

/**
 * Every token of a user begins here: the log-in is recorded before anybody has it. None for a user who has to prove a
 * second factor and has not.
 * @throws AppError application, as `refusePassword`
 */
export async function issueToken(
  services: Services,
  user: Entry,
  { message }: LogInContext,
  means: Means,
): Promise<{ readonly jwt?: string }> {
  const { first, proof } = means;
  if (first !== 'provider') refusePassword(services, user);
  if (proof === undefined && (await mustProve(services, user))) return {};
  const { context, tokens } = services;
  const session = await newSession(services, user, message);
  const jwt = await tokens.issue(user, { hasProved: proof !== undefined, session: session?.id });
  const by = authorOf({ kind: 'user', user: user.id, credentials: user });
  await context.storage.recordActivity({
    action: 'login',
    type: uids.user,
    entry: user.id,
    by,
    factors: factorsIn(means),
  });
  if (session !== undefined) await context.storage.sessions.begin(user.id, session);
  return { jwt };
}
