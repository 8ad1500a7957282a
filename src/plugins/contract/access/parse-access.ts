import { isRecord, type Data } from '../../../config/record.js';
import { wrongName } from '../../../errors/nearest-name.js';
import { readDeclared } from '../../../content-types/load/read-options.js';
import { reportTo, type Report } from '../../../content-types/load/report.js';
import * as shapes from '../../../content-types/model/settings-schema.js';
import { StartError } from '../../../errors/start-error.js';
import type { Access, LocaleAccess, RoleAccess, TokenAccess } from './access.js';
import { parsePermissions, USER, type PermissionsContext } from './parse-permissions.js';

/** The names that an access file can refer to. */
export interface AccessContext extends Pick<PermissionsContext, 'actions' | 'contentTypes'> {
  /** Environment variables, for keys of tokens. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Whether tokens whose variable is not set are omitted: tests have their own token. */
  readonly allowMissingKeys?: boolean;
}

interface Reading extends AccessContext, Pick<PermissionsContext, 'drops' | 'report'> {}

const fileShape = {
  $schema: shapes.string,
  forbiddenFields: shapes.oneOf('refuse', 'drop'),
  roles: shapes.record,
  tokens: shapes.record,
  locales: shapes.list,
};
const roleShape = {
  name: shapes.string,
  description: shapes.string,
  permissions: shapes.list,
  secondFactor: shapes.boolean,
};
const tokenShape = {
  description: shapes.string,
  type: shapes.oneOf('full-access', 'read-only', 'custom'),
  permissions: shapes.list,
  key: shapes.anything,
  expiresAt: shapes.string,
};
const localeShape = { code: shapes.string, name: shapes.string, isDefault: shapes.boolean };

/** Characters; shorter keys can be guessed. */
const MIN_KEY_LENGTH = 16;

/**
 * Parses the content of an access file (see schemas/access.schema.json); `file` is named in messages.
 * @throws StartError with a line for each error
 */
export function parseAccess(
  { file, content }: { readonly file: string; readonly content: Data },
  context: AccessContext,
): Access {
  const mistakes: string[] = [];
  const report = reportTo(mistakes, file);
  const { forbiddenFields, roles = {}, tokens = {}, locales = [] } = readDeclared(content, fileShape, '', report);
  const reading = { ...context, report, drops: forbiddenFields === 'drop' };
  const access = {
    roles: Object.entries(roles).map(([type, role]) => parseRole(type, role, reading)),
    tokens: Object.entries(tokens).flatMap(([name, token]) => parseToken(name, token, reading) ?? []),
    locales: parseLocales(locales, reading.report),
  };
  if (mistakes.length > 0) throw new StartError(mistakes.join('\n'));
  return access;
}

function parseRole(type: string, input: unknown, reading: Reading): RoleAccess {
  const { contentTypes, report } = reading;
  const path = `roles.${type}`;
  if (!/^[A-Za-z][\w-]*$/.test(type)) report(path, 'must be a name of letters, digits, - and _');
  const { name, description, permissions, secondFactor } = readDeclared(input, roleShape, `${path}.`, report);
  if (name !== undefined && name.length < 3) report(`${path}.name`, 'must have at least 3 characters');
  if (permissions === undefined && isRecord(input) && !('permissions' in input)) {
    report(`${path}.permissions`, 'is missing; [] allows nothing');
  }
  if (type === 'public' && secondFactor === true)
    report(`${path}.secondFactor`, 'is for roles of users: nobody logs in as "public"');
  // Only requests of the role `public` have no user.
  const user = type === 'public' ? undefined : contentTypes.get(USER)?.attributes;
  const parsed = parsePermissions(permissions ?? [], `${path}.permissions`, { ...reading, user });
  return { type, name, description, secondFactor, ...parsed };
}

/** Undefined for a token that is omitted. */
function parseToken(name: string, input: unknown, reading: Reading): TokenAccess | undefined {
  const path = `tokens.${name}`;
  const { report } = reading;
  const { description, type, permissions = [], key, expiresAt } = readDeclared(input, tokenShape, `${path}.`, report);
  if (type === undefined && isRecord(input) && !('type' in input))
    report(`${path}.type`, wrongName(undefined, '', ['full-access', 'read-only', 'custom']));
  if (type !== 'custom' && permissions.length > 0) report(`${path}.permissions`, 'applies to "custom" tokens only');
  const date = expiresAt === undefined ? undefined : new Date(expiresAt);
  if (Number.isNaN(date?.getTime())) report(`${path}.expiresAt`, `"${expiresAt}" must be a date, e.g. "2030-01-31"`);
  const parsed = parsePermissions(permissions, `${path}.permissions`, { ...reading, user: undefined });
  const value = parseKey(key, path, reading);
  if (value === '' && reading.allowMissingKeys === true) return undefined;
  return { name, description, type: type ?? 'custom', ...parsed, key: value, expiresAt: date };
}

/** Keys are secrets, which do not belong in a file under version control. */
function parseKey(key: unknown, path: string, { variables, allowMissingKeys, report }: Reading): string {
  const variable = isRecord(key) ? key['env'] : undefined;
  if (typeof variable !== 'string') {
    report(`${path}.key`, 'must name an environment variable: { "env": "MY_TOKEN" }');
    return '';
  }
  const value = variables[variable] ?? '';
  if (value === '' && allowMissingKeys === true) return '';
  if (value === '') report(`${path}.key.env`, `the environment variable ${variable} is not set`);
  else if (value.length < MIN_KEY_LENGTH) {
    report(`${path}.key.env`, `the environment variable ${variable} must have at least ${MIN_KEY_LENGTH} characters`);
  }
  return value;
}

function parseLocales(inputs: readonly unknown[], report: Report): readonly LocaleAccess[] {
  const locales = inputs.map((locale, index) => {
    const path = `locales[${index}].`;
    const { code = '', name, isDefault = false } = readDeclared(locale, localeShape, path, report);
    if (code === '') report(`${path}code`, 'is missing, e.g. "en"');
    return { code, name, isDefault };
  });
  const codes = locales.map(({ code }) => code);
  const twice = new Set(codes.filter((code, index) => code !== '' && codes.indexOf(code) < index));
  for (const code of twice) report('locales', `contain "${code}" twice`);
  const defaults = locales.filter(({ isDefault }) => isDefault).length;
  if (locales.length > 0 && defaults !== 1)
    report('locales', `must have one locale with "isDefault": true, not ${defaults}`);
  return locales;
}
