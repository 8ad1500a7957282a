import { expect, test } from '@jest/globals';
import { link } from '../../../../src/content-types/link/link.js';
import { load } from '../../../../src/content-types/load/load.js';
import type { Registry } from '../../../../src/content-types/model/types.js';
import { StartError } from '../../../../src/errors/start-error.js';
import type { Access } from '../../../../src/plugins/contract/access/access.js';
import { parseAccess } from '../../../../src/plugins/contract/access/parse-access.js';
import { createUpload } from '../../../../src/plugins/upload/upload.js';
import { createUsersPermissions } from '../../../../src/plugins/users-permissions/users-permissions.js';
import { publisher } from '../../../support/access.js';

const company = { type: 'relation', relation: 'manyToOne', target: 'api::company.company' };
const author = { type: 'relation', relation: 'oneToOne', target: 'api::author.author', mappedBy: 'user' };
const plugins = [createUpload({}), createUsersPermissions({})]
  .flatMap((plugin) => plugin.contentTypes ?? [])
  .map(({ definition, ...defined }) => {
    const isUser = definition.info?.singularName === 'user';
    return {
      ...defined,
      definition: isUser ? { ...definition, attributes: { ...definition.attributes, company, author } } : definition,
    };
  });
const registry: Promise<Registry> = load(publisher).then(({ contentTypes, components }) =>
  link({ contentTypes: [...plugins, ...contentTypes], components }),
);
const action = 'api::article.article.find';

async function parse(entry: unknown, role = 'authenticated'): Promise<Access> {
  const ours = ['create', 'delete', 'createLocalization'].map((name) => `api::article.article.${name}`);
  const actions = new Set([action, ...ours, 'plugin::upload.content-api.find']);
  const content = { roles: { [role]: { permissions: [entry].flat() } } };
  return parseAccess(
    { file: 'access.json', content },
    { actions, contentTypes: (await registry).contentTypes, variables: {} },
  );
}

const mistakesOf = async (entry: unknown, role?: string): Promise<readonly string[]> =>
  parse(entry, role).then(
    () => [],
    (error: unknown) => (error instanceof StartError ? error.message : String(error)).split('\n'),
  );

const at = (path: string, message: string): string =>
  `access.json: roles.authenticated.permissions[0]${path === '' ? '' : `.${path}`} ${message}`;

test.each([
  ['an empty rule', {}, '', 'must be an object with at least one condition'],
  ['an unknown attribute', { titel: 'x' }, '.titel', 'names an unknown attribute "titel"; did you mean "title"?'],
  ['an unknown operator', { title: { $equals: 'x' } }, '.title.$equals', 'names an unknown operator "$equals"'],
  ['no operator', { title: {} }, '.title', 'must have at least one operator'],
  ['an empty group', { $or: [] }, '.$or', 'must be a list with at least one condition'],
  ['a group that is an object', { $and: { title: 'x' } }, '.$and', 'must be a list with at least one condition'],
  ['an empty condition in a group', { $or: [{ title: 'x' }, {}] }, '.$or[1]', 'must be an object with at least one'],
  ['an empty list', { fee: { $in: [] } }, '.fee.$in', 'must be a list of at least one value, or a variable'],
  ['null', { fee: null }, '.fee', 'must not be null; use { "$null": true }'],
  ['a number as a string', { fee: '5' }, '.fee', '"5" must be a number'],
  ['a string as a number', { title: 5 }, '.title', '5 must be a string'],
  ['a list of two without a second', { fee: { $between: [1] } }, '.fee.$between', 'must be a list of two values'],
  ['a flag that is none', { fee: { $null: 'yes' } }, '.fee.$null', 'must be true or false'],
  ['another value of an enumeration', { section: 'art' }, '.section', '"art" must be one of news, sport'],
  ['a date that is none', { expires: 'soon' }, '.expires', '"soon" cannot be a value of this attribute'],
  ['a dynamic zone', { blocks: { text: 'x' } }, '.blocks', 'cannot be used in a rule'],
  ['a relation to any type', { links: { id: 1 } }, '.links', 'cannot be used in a rule'],
  ['a password', { reviewer: { password: 'x' } }, '.reviewer.password', 'cannot be used in a rule'],
  ['an unknown variable', { fee: '$me' }, '.fee', 'names an unknown variable "$me"; variables are $now and'],
  ['an unknown attribute of users', { fee: '$user.comany.id' }, '.fee', 'names "$user.comany.id": unknown attribute'],
  ['a variable without a value', { fee: '$user.company' }, '.fee', 'names "$user.company", which does not lead to'],
  ['a variable of another type', { fee: '$user.email' }, '.fee', '"$user.email" is a text, which cannot be compared'],
  [
    'several values for one',
    { id: '$user.role.users.id' },
    '.id',
    '"$user.role.users.id" has several values, and only',
  ],
])('a rule with %s is refused', async (_, where, path, message) => {
  expect(await mistakesOf({ action, where })).toEqual([expect.stringContaining(at(`where${path}`, message))]);
});

test.each([
  ['an unknown attribute', { titel: 'x' }, '.titel', 'names an unknown attribute "titel"; did you mean "title"?'],
  ['a value of another type', { fee: 'x' }, '.fee', '"x" must be a number'],
  ['a list of values for one', { author: '$user.role.users.id' }, '.author', 'has several values'],
  ['a component', { notes: 'x' }, '.notes', 'cannot be set by a rule'],
  ['what the service writes', { createdAt: '$now' }, '.createdAt', 'cannot be set by a rule'],
  ['nothing', {}, '', 'must be an object with at least one attribute'],
])('values of new entries with %s are refused', async (_, set, path, message) => {
  const [mistake, ...others] = await mistakesOf({ action: 'api::article.article.create', set });
  expect([mistake?.startsWith(at(`set${path}`, '')), others]).toEqual([true, []]);
  expect(mistake).toContain(message);
});

test.each([
  ['an unknown attribute', ['titel'], '[0]', 'names an unknown attribute "titel"; did you mean "title"?'],
  ['a part of a component', ['notes.text'], '[0]', 'names a part of "notes", which is one field'],
  ['the id', ['-id'], '[0]', 'names the id, which every entry has'],
  ['nothing', [], '', 'must be a list of at least one attribute'],
  ['no list', 'title', '', 'must be a list of at least one attribute'],
  ['a number', [5], '[0]', 'must be the name of an attribute'],
  ['names of both kinds', ['title', '-fee'], '', 'must either name what is allowed, or exclude with "-" what is not'],
])('fields with %s are refused', async (_, fields, path, message) => {
  expect(await mistakesOf({ action, fields })).toEqual([at(`fields${path}`, message)]);
});

test('fields that are never written are refused', async () => {
  const [mistake] = await mistakesOf({ action: 'api::article.article.create', fields: ['createdAt'] });
  expect(mistake).toBe(at('fields[0]', 'names an attribute that is never written'));
});

test('rules for one action that differ in entries and fields are refused', async () => {
  const own = { action, where: { fee: 1 }, fields: ['title'] };
  for (const [other, mistakes] of [
    [{ action, where: { fee: 2 } }, 1],
    [{ action, fields: ['fee'] }, 1],
    [{ action, where: { fee: 2 }, fields: ['title'] }, 0],
    [{ action, where: { fee: 1 }, fields: ['fee'] }, 0],
    [action, 0],
  ] as const) {
    expect(await mistakesOf([own, other])).toHaveLength(mistakes);
  }
});

test('a rule withholds all other attributes, or those that it excludes', async () => {
  const namesOf = async (use: string, fields: readonly string[]): Promise<readonly string[]> => {
    const [role] = (await parse({ action: use, fields })).roles;
    return [...(role?.rules?.get(use)?.withheld ?? [])].map(({ name }) => name);
  };
  expect(await namesOf(action, ['-fee', '-title'])).toEqual(['title', 'fee']);
  const others = await namesOf(action, ['title']);
  expect(others).toEqual(expect.arrayContaining(['fee', 'createdAt', 'publishedAt', 'notes', 'blocks', 'author']));
  const unwritten = await namesOf('api::article.article.create', ['title']);
  expect([unwritten.includes('title'), unwritten.includes('createdAt'), unwritten.includes('fee')]).toEqual([
    false,
    false,
    true,
  ]);
});

test.each([
  ['values for an action that creates nothing', { action, set: { fee: 1 } }, 'set'],
  ['a rule for new entries', { action: 'api::article.article.create', where: { fee: 1 } }, 'where'],
  ['a rule for files', { action: 'plugin::upload.content-api.find', where: { id: 1 } }, 'where'],
  ['no rule', { action }, 'where'],
  ['fields of a delete', { action: 'api::article.article.delete', fields: ['fee'] }, 'fields'],
  ['fields of files', { action: 'plugin::upload.content-api.find', fields: ['name'] }, 'fields'],
  ['a rule for localizations', { action: 'api::article.article.createLocalization', where: { fee: 1 } }, 'where'],
  ['an unknown part', { action, where: { fee: 1 }, limit: 5 }, 'limit'],
  ['no action', { where: { fee: 1 } }, 'action'],
  ['an unknown action', { action: 'api::article.article.fnd', where: { fee: 1 } }, 'action'],
  ['neither a string nor an object', 5, ''],
])('a permission with %s is refused', async (_, entry, path) => {
  expect(await mistakesOf(entry)).toEqual([expect.stringContaining(at(path, ''))]);
});

test('rules of the role public have no user', async () => {
  const [mistake] = await mistakesOf({ action, where: { id: '$user.id' } }, 'public');
  expect(mistake).toContain('permissions[0].where.id names "$user.id", but this caller is not a user');
});

test('a rule becomes a condition on the values of a request, and reports the paths of a user that it uses', async () => {
  const where = {
    company: { id: { $eq: '$user.company.id' } },
    expires: { $gte: '$now' },
    title: { $in: ['$user.username', '$$cash'] },
    category: { editors: '$user.id' },
  };
  const [role] = (await parse({ action, where })).roles;
  expect(role?.userPaths).toEqual(['company']);
  const condition = role?.rules?.get(action)?.where;
  const now = new Date('2026-01-01T00:00:00Z');
  const described = JSON.stringify(
    condition?.({ now, user: { id: 7, username: 'ann', company: { id: 3 } } }),
    (key, value: unknown) => (key === 'field' || key === 'attribute' ? (value as { name: string }).name : value),
  );
  const compared = (field: string, operator: string, ...operands: readonly unknown[]) => ({
    kind: 'comparison',
    field,
    operator,
    operands,
  });
  expect(JSON.parse(described)).toEqual({
    kind: 'and',
    filters: [
      { kind: 'related', attribute: 'company', filter: compared('id', '$eq', 3) },
      compared('expires', '$gte', now.toISOString()),
      compared('title', '$in', 'ann', '$cash'),
      {
        kind: 'related',
        attribute: 'category',
        filter: { kind: 'related', attribute: 'editors', filter: compared('id', '$eq', 7) },
      },
    ],
  });
  const without = condition?.({ now, user: { id: 7, username: 'ann', company: null } });
  expect(without).toMatchObject({ filters: [{ filter: { kind: 'never' } }, {}, {}, {}] });
});
