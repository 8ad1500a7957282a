import { isRecord, type Data } from '../../config/record.js';
import type { Caller } from '../../documents/caller.js';
import { AppError } from '../../errors/app-error.js';
import type { Issue } from '../../errors/codes.js';
import { whyNotPassOn } from '../contract/access/pass-on.js';

const MAX_TEXT = 255;
/** A year, in milliseconds. */
const MAX_LIFESPAN = 365 * 24 * 3_600_000;

type Check = (value: unknown) => string | undefined;

const text =
  (minLength: number): Check =>
  (value) =>
    typeof value === 'string' && value.trim().length >= minLength && value.length <= MAX_TEXT
      ? undefined
      : `must be a string of ${minLength} to ${MAX_TEXT} characters`;

const checks: Readonly<Record<string, Check>> = {
  name: text(1),
  description: (value) => (value === undefined || value === null ? undefined : text(0)(value)),
  type: (value) =>
    value === undefined || value === 'custom'
      ? undefined
      : 'must be custom; tokens of other types are created on the command line',
  permissions: (value) => (Array.isArray(value) && value.length > 0 ? undefined : 'must be a list of actions'),
  lifespan: (value) =>
    typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_LIFESPAN
      ? undefined
      : `must be milliseconds, at most ${MAX_LIFESPAN} (a year)`,
};

/**
 * A token in a request. It expires, and may do nothing that its creator may not do, or only with a rule: tokens do not
 * have the rules of roles.
 * @param actions that can be granted
 * @throws AppError validation with the path of each mistake
 */
export function parseToken(body: unknown, caller: Caller, actions: ReadonlySet<string>, now: number) {
  const input: Data = isRecord(body) ? body : {};
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(checks, name));
  const issues: readonly Issue[] = [
    ...unknown.map((name) => ({ path: [name], message: `${name} is unknown` })),
    ...Object.entries(checks).flatMap(([name, check]) => {
      const message = check(input[name]);
      return message === undefined ? [] : [{ path: [name], message: `${name} ${message}` }];
    }),
    ...findForbidden(input['permissions'], caller, actions),
  ];
  if (issues.length > 0) throw new AppError('validation', issues);
  const { name, description, permissions, lifespan } = input;
  return {
    name: String(name),
    description: typeof description === 'string' ? description : null,
    permissions: [...new Set((permissions as readonly string[]).map(String))],
    expiresAt: new Date(now + Number(lifespan)).toISOString(),
  };
}

function findForbidden(permissions: unknown, caller: Caller, actions: ReadonlySet<string>): readonly Issue[] {
  const list: readonly unknown[] = Array.isArray(permissions) ? permissions : [];
  return list.flatMap((action, index) => {
    const mistake = mistakeIn(action, caller, actions);
    return mistake === undefined
      ? []
      : [{ ...mistake, path: ['permissions', String(index)], message: `permissions[${index}] ${mistake.message}` }];
  });
}

function mistakeIn(action: unknown, caller: Caller, actions: ReadonlySet<string>): Omit<Issue, 'path'> | undefined {
  if (typeof action !== 'string' || !actions.has(action)) return { message: 'is not an action' };
  const reason = whyNotPassOn(action, caller);
  return reason === undefined ? undefined : { message: `is ${action}, ${reason}`, rule: 'ownRights' };
}
