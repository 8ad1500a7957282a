import { isObject } from '../../../query/parse/input.js';
import type { Issue } from '../../../errors/codes.js';
import { print } from '../../../documents/input/validate/messages.js';

const wrong = (path: readonly string[], message: string): readonly Issue[] => [{ path, message }];

/** What is wrong with the role of a new user: an id, or `{ connect: [{ id }] }`. */
export function findRoleIssues(role: unknown): readonly Issue[] {
  if (role === undefined) return wrong(['role'], 'role is a required field');
  if (!isObject(role)) return findNamedRoleIssues(role);
  const { connect } = role;
  if (!Array.isArray(connect)) return wrong(['role', 'connect'], 'role.connect is a required field');
  return connect.length === 0 ? wrong(['role', 'connect'], 'Users must have a role') : [];
}

/** What is wrong with a change of a role: an id, or `{ connect: [{ id }], disconnect: [{ id }] }`. */
export function findRoleChangeIssues(role: unknown): readonly Issue[] {
  if (role === undefined) return [];
  if (!isObject(role)) return findNamedRoleIssues(role);
  const { connect, disconnect } = role;
  return [
    ...(Array.isArray(connect) ? [] : wrong(['role', 'connect'], 'role.connect is a required field')),
    ...(Array.isArray(disconnect) ? [] : wrong(['role', 'disconnect'], 'role.disconnect is a required field')),
    ...(isEmpty(connect) && !isEmpty(disconnect) ? wrong(['role', 'disconnect'], 'Cannot remove role') : []),
  ];
}

/** What is wrong with a role that is not an object: it has to be an id. */
function findNamedRoleIssues(role: unknown): readonly Issue[] {
  if (typeof role === 'number' || typeof role === 'string') return [];
  return wrong(['role'], mistyped(role, typeof role === 'object' ? 'object' : 'strapiID'));
}

const isEmpty = (list: unknown): boolean => !Array.isArray(list) || list.length === 0;
const mistyped = (value: unknown, type: string): string =>
  `role must be a \`${type}\` type, but the final value was: \`${print(value)}\`.`;

/** The role that a valid input names; undefined when it says nothing. */
export function roleOf(role: unknown): unknown {
  if (!isObject(role)) return role;
  const { connect } = role;
  return Array.isArray(connect) ? connect.at(-1) : undefined;
}
