import { bare } from '../../documents/shapes.js';
import { parseSelection } from '../../query/parse-query.js';
import { system } from '../../documents/caller.js';
import { AppError } from '../../errors/app-error.js';
import type { Issue } from '../../errors/codes.js';
import type { Reply, RouteRequest } from '../plugin.js';
import { findUsers } from './find-user.js';
import { parseId } from './parse-id.js';
import { findIssues, inputOf } from './parse-input.js';
import type { Data, Parts } from './parts.js';
import { ownAttributes } from './prepare-user.js';
import { askedAfterWrite } from './present-user.js';
import { isAddressTaken, isNameMisleading, isNameTaken } from './taken-names.js';
import { findRoleChangeIssues, findRoleIssues, roleOf } from './user-role.js';

const texts = [{ name: 'email', email: true }, { name: 'username' }, { name: 'password' }] as const;
const optionalTexts = [
  { name: 'email', email: true, optional: true },
  { name: 'username', optional: true },
  { name: 'password', optional: true },
] as const;

/** Creates a user. What is wrong with the entry is an ApplicationError, as in Strapi v4. @throws AppError validation, application */
export async function createUser(
  parts: Parts,
  { body, caller }: Pick<RouteRequest, 'body' | 'caller'>,
): Promise<Reply> {
  const input = inputOf(body);
  refuse([...findIssues(input, texts), ...findRoleIssues(input['role'])]);
  const [email, username] = [String(input['email']), String(input['username'])];
  if (parts.settings.uniqueEmail && (await isAddressTaken(parts, email))) {
    throw new AppError('application', 'Email already taken');
  }
  if (await isNameMisleading(parts, username)) throw new AppError('application', 'This attribute must be unique');
  const data = { ...dataOf(input), provider: 'local' };
  const { context, userType } = parts;
  const created = context.documents.create(userType, data, askedAfterWrite(parts, caller));
  return { status: 201, body: await created.catch(asApplicationError) };
}

/** Changes a user. @throws AppError notFound, validation, application */
export async function updateUser(
  parts: Parts,
  { params, body, caller }: Pick<RouteRequest, 'params' | 'body' | 'caller'>,
): Promise<Reply> {
  const id = parseId(params['id']);
  const [user] = id === undefined ? [] : await findUsers(parts, { id });
  if (user === undefined) throw new AppError('notFound', 'User not found');
  const input = inputOf(body);
  refuse([...findIssues(input, optionalTexts), ...findRoleChangeIssues(input['role'])]);
  const { username, email } = input;
  if (typeof username === 'string' && (await isNameTaken(parts, username, user.id))) {
    throw new AppError('application', 'Username already taken');
  }
  if (typeof email === 'string' && parts.settings.uniqueEmail && (await isAddressTaken(parts, email, user.id))) {
    throw new AppError('application', 'Email already taken');
  }
  const { context, userType } = parts;
  return { body: await context.documents.update(userType, user.id, dataOf(input), askedAfterWrite(parts, caller)) };
}

/** Deletes a user and gives them as they were; nothing for one that is not there. */
export async function deleteUser(
  { context, userType }: Parts,
  { params }: Pick<RouteRequest, 'params'>,
): Promise<Reply> {
  const id = parseId(params['id']);
  if (id === undefined) return { body: undefined };
  const asked = { caller: system, shape: bare, selection: parseSelection({}, userType, 'client', context.limits) };
  const deleted = context.documents.delete(userType, id, asked);
  return { body: await deleted.catch((error: unknown) => nothingFor('notFound', error)) };
}

/** What an input says about a user; what only we write is left out. */
function dataOf({ role, ...input }: Data): Data {
  const own: readonly string[] = ownAttributes;
  const named = roleOf(role);
  const kept = Object.entries(input).filter(([name]) => !own.includes(name));
  return { ...Object.fromEntries(kept), ...(named !== undefined && { role: named }) };
}

function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new AppError('validation', issues);
}

function asApplicationError(error: unknown): never {
  throw error instanceof AppError && error.code === 'validation' ? new AppError('application', error.message) : error;
}

function nothingFor(code: string, error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== code) throw error;
}
