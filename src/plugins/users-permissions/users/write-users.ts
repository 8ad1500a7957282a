import { isRecord, type Data } from '../../../config/record.js';
import type { Caller } from '../../../documents/caller.js';
import type { EntryRequest } from '../../../documents/context.js';
import type { Entry } from '../../../documents/entries.js';
import { dropUnreadableTargets, sentValues } from '../../../documents/input/permitted-data.js';
import { taken } from '../../../documents/write/taken-values.js';
import type { Issue, Rule } from '../../../errors/codes.js';
import { AppError, hasCode, ifNotFound } from '../../../errors/app-error.js';
import { isThrownByCode } from '../../../errors/thrown-by-code.js';
import { findUsers } from './find-user.js';
import { findIssues, mistyped } from './parse-input.js';
import type { OperationContext, Services } from '../services.js';
import { ownAttributes } from '../own-attributes.js';
import { queryAfterWrite } from './present-user.js';
import { isAddressTaken, isNameMisleading, isNameTaken, whileReserved } from './taken-names.js';

const texts = [{ name: 'email', email: true }, { name: 'username' }, { name: 'password' }] as const;
const textsOfInvited = texts.filter(({ name }) => name !== 'password');
const optionalTexts = texts.map((text) => ({ ...text, optional: true }) as const);

/** Who writes a user, and how. */
type Writer = Pick<OperationContext, 'caller' | 'entryForm' | 'arrived'>;

/**
 * Creates a user and returns what the caller may see of them. An invalid entry and what lifecycles of a project throw
 * are an ApplicationError, as in Strapi v4.
 * @param isInvited the user sets the password
 * @throws AppError validation, application
 */
export async function createUser(services: Services, input: Data, writer: Writer, isInvited = false): Promise<Entry> {
  const { context, userType } = services;
  context.documents.openCount().add(userType, input);
  refuse([...findIssues(input, isInvited ? textsOfInvited : texts), ...findRoleIssues(input['role'])]);
  const [email, username] = [String(input['email']), String(input['username'])];
  return whileReserved(services, [email, username], async () => {
    if (services.settings.uniqueEmail && (await isAddressTaken(services, email))) {
      throw new AppError('emailTaken');
    }
    if (await isNameMisleading(services, username))
      asApplicationError(new AppError('validation', [taken(['username'])]));
    const data = { ...dataOf(services, input, writer), provider: 'local' };
    const { caller, entryForm } = writer;
    const created = context.documents.create(userType, data, {
      ...queryAfterWrite(services, caller, entryForm),
      limitedBy: caller,
    });
    return (await created.catch(asApplicationError)) as Entry;
  });
}

/** Changes a user and returns what the caller may see of them. @throws AppError notFound, validation, application */
export async function updateUser(
  services: Services,
  id: number | undefined,
  input: Data,
  writer: Writer,
): Promise<Entry> {
  const { caller, entryForm } = writer;
  const { context, userType } = services;
  context.documents.openCount().add(userType, input);
  const [user] = id === undefined ? [] : await findUsers(services, { id });
  if (user === undefined || !(await isVisible(services, user.id, caller))) {
    throw new AppError('notFound', 'User not found');
  }
  refuse([...findIssues(input, optionalTexts), ...findRoleChangeIssues(input['role'])]);
  const { username, email } = input;
  return whileReserved(services, [username, email], async () => {
    if (typeof username === 'string' && (await isNameTaken(services, username, user.id))) {
      throw new AppError('usernameTaken');
    }
    if (
      typeof email === 'string' &&
      services.settings.uniqueEmail &&
      (await isAddressTaken(services, email, user.id))
    ) {
      throw new AppError('emailTaken');
    }
    const data = dataOf(services, input, writer);
    return changeForCaller(services, user.id, data, { caller, entryForm });
  });
}

/** Whether the caller may read and change this user. */
const isVisible = ({ context, userType }: Services, id: number, caller: Caller): Promise<boolean> =>
  context.documents.requireVisible(userType, id, caller, 'update').then(() => true, ifNotFound(false));

/**
 * The id of a user whom the caller may change.
 * @throws AppError notFound, forbidden
 */
export async function requireChangeable(
  { context, userType }: Services,
  id: number | undefined,
  caller: Caller,
): Promise<number> {
  if (id === undefined) throw new AppError('notFound', 'User not found');
  await context.documents.requireVisible(userType, id, caller, 'update');
  return id;
}

/** Changes a user whom the caller may change, and returns them as the caller sees them. */
export async function changeForCaller(
  services: Services,
  id: number,
  data: Data,
  { caller, entryForm }: Pick<Writer, 'caller' | 'entryForm'>,
): Promise<Entry> {
  const { context, userType } = services;
  const request = { ...queryAfterWrite(services, caller, entryForm), limitedBy: caller };
  return (await context.documents.update({ type: userType, id }, data, request)).entry as Entry;
}

/** Deletes a user and returns the deleted entry; undefined if the user does not exist. */
export async function deleteUser(
  { context, userType }: Services,
  id: number | undefined,
  caller: Caller,
  request: EntryRequest,
): Promise<unknown> {
  if (id === undefined) return undefined;
  const limited = { ...request, limitedBy: caller };
  return context.documents.delete({ type: userType, id }, limited).catch(ifNotFound(undefined));
}

/**
 * The values of a user in an input, without internal attributes and without relations to entries that the caller may
 * not list, unless code of a project has set these. Callers that can write users set the role.
 */
function dataOf({ userType }: Services, { role, ...input }: Data, { caller, arrived }: Writer): Data {
  const named = roleOf(role);
  const otherValues = Object.entries(input).filter(([name]) => !ownAttributes.includes(name));
  const permitted = dropUnreadableTargets(Object.fromEntries(otherValues), userType, caller, sentValues(arrived));
  return { ...permitted, ...(named !== undefined && { role: named }) };
}

function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new AppError('validation', issues);
}

/** @throws an ApplicationError for an invalid entry and for an error of project code, as Strapi v4 does */
export function asApplicationError(error: unknown): never {
  const isForClient = hasCode(error, 'validation') || isThrownByCode(error);
  throw isForClient ? new AppError('application', error.message, issuesOf(error)) : error;
}

const issuesOf = (error: Error): readonly Issue[] => (hasCode(error, 'validation') ? error.issues : []);

const wrong = (path: readonly string[], message: string, rule?: Rule): readonly Issue[] => [{ path, message, rule }];

/** The error in the role of a new user, which is an id or `{ connect: [{ id }] }`. */
function findRoleIssues(role: unknown): readonly Issue[] {
  if (role === undefined) return wrong(['role'], 'role is a required field', 'required');
  if (!isRecord(role)) return findNamedRoleIssues(role);
  const { connect } = role;
  if (Array.isArray(connect) && connect.length === 0) return wrong(['role', 'connect'], 'Users must have a role');
  return [...findListIssues(connect, 'connect'), ...findConnectedIssues(connect)];
}

/** The error in a change of a role, which is an id or `{ connect: [{ id }], disconnect: [{ id }] }`. */
function findRoleChangeIssues(role: unknown): readonly Issue[] {
  if (role === undefined) return [];
  if (!isRecord(role)) return findNamedRoleIssues(role);
  const { connect, disconnect } = role;
  return [
    ...findListIssues(connect, 'connect'),
    ...findListIssues(disconnect, 'disconnect'),
    ...(isEmpty(connect) && !isEmpty(disconnect) ? wrong(['role', 'disconnect'], 'Cannot remove role') : []),
    ...findConnectedIssues(connect),
  ];
}

function findListIssues(list: unknown, key: 'connect' | 'disconnect'): readonly Issue[] {
  if (list === undefined) return wrong(['role', key], `role.${key} is a required field`, 'required');
  return Array.isArray(list) ? [] : wrong(['role', key], mistyped(`role.${key}`, list, 'array'));
}

/** The errors in the roles of `connect`: each is an object with an id. */
function findConnectedIssues(connect: unknown): readonly Issue[] {
  if (!Array.isArray(connect)) return [];
  return connect.flatMap((role: unknown, index) => {
    const [path, label] = [['role', 'connect', String(index)], `role.connect[${index}]`];
    if (!isRecord(role)) return wrong(path, mistyped(label, role, 'object'));
    const { id } = role;
    if (id === undefined) return wrong([...path, 'id'], `${label}.id is a required field`, 'required');
    return isId(id) ? [] : wrong([...path, 'id'], mistyped(`${label}.id`, id, 'strapiID'));
  });
}

/** The error in a role that is not an object: it must be an id. */
function findNamedRoleIssues(role: unknown): readonly Issue[] {
  if (isId(role)) return [];
  return wrong(['role'], mistyped('role', role, typeof role === 'object' ? 'object' : 'strapiID'));
}

const isEmpty = (list: unknown): boolean => !Array.isArray(list) || list.length === 0;
const isId = (value: unknown): boolean => typeof value === 'number' || typeof value === 'string';

/** The role in a valid input; undefined if there is none. */
function roleOf(role: unknown): unknown {
  if (!isRecord(role)) return role;
  const { connect } = role;
  return Array.isArray(connect) ? connect.at(-1) : undefined;
}
