import { expect, test } from '@jest/globals';
import { link } from '../../../../src/content-types/link/link.js';
import { load } from '../../../../src/content-types/load/load.js';
import type { Registry } from '../../../../src/content-types/model/types.js';
import { parseAccess } from '../../../../src/plugins/contract/access/parse-access.js';
import { underminedRules } from '../../../../src/plugins/contract/access/undermined-rules.js';
import { createUpload } from '../../../../src/plugins/upload/upload.js';
import { createUsersPermissions } from '../../../../src/plugins/users-permissions/users-permissions.js';

const author = { type: 'relation', relation: 'oneToOne', target: 'api::author.author', mappedBy: 'user' };
const department = { type: 'string' };
const plugins = [createUpload({}), createUsersPermissions({})]
  .flatMap((plugin) => plugin.contentTypes ?? [])
  .map(({ definition, ...defined }) => {
    const attributes = definition.info?.singularName === 'user' ? { author, department } : {};
    return { ...defined, definition: { ...definition, attributes: { ...definition.attributes, ...attributes } } };
  });
const registry: Promise<Registry> = load('tests/fixtures/ownership').then(({ contentTypes, components }) =>
  link({ contentTypes: [...plugins, ...contentTypes], components }),
);

async function undermined(permissions: readonly unknown[]): Promise<readonly string[]> {
  const known = await registry;
  const actions = new Set(
    [...known.contentTypes.keys()].flatMap((uid) =>
      ['find', 'findOne', 'create', 'update', 'delete'].map((name) => `${uid}.${name}`),
    ),
  );
  const content = { roles: { authenticated: { permissions } } };
  const access = parseAccess(
    { file: 'access.json', content },
    { actions, contentTypes: known.contentTypes, variables: {} },
  );
  return underminedRules(access, known).map(
    (line) => /the rule of (\S+) .*? on (\S+), which (\S+) /.exec(line)?.slice(1).join(' ') ?? line,
  );
}

const [post, writer, tag, user] = [
  'api::post.post',
  'api::author.author',
  'api::tag.tag',
  'plugin::users-permissions.user',
];
const own = { author: { user: { id: '$user.id' } } };
const reads = [`${post}.find`, `${writer}.find`, `${tag}.find`];
const updateOwn = { action: `${post}.update`, where: own };
const deleteOwn = { action: `${post}.delete`, where: own };

test.each([
  ['the type has no rule for updates', [deleteOwn, `${post}.update`], [`${post}.delete author ${post}.update`]],
  ['the other side is writable', [deleteOwn, `${writer}.update`], [`${post}.delete author ${writer}.update`]],
  ['new entries can take others', [deleteOwn, `${writer}.create`], [`${post}.delete author ${writer}.create`]],
  [
    'a related entry can be taken',
    [updateOwn, `${writer}.update`, `${user}.find`],
    [`${post}.update author.user ${writer}.update`],
  ],
  [
    'the other entry stores the relation',
    [{ action: `${tag}.update`, where: { posts: { title: 'x' } } }, updateOwn],
    [`${tag}.update posts ${post}.update`],
  ],
  [
    'users can change what a variable names',
    [
      { action: `${post}.find`, where: { title: '$user.department' } },
      { action: `${user}.update`, where: { id: '$user.id' } },
    ],
    [`${post}.find $user.department ${user}.update`],
  ],
  [
    'users can become another author',
    [
      { action: `${post}.create`, set: { author: '$user.author.id' } },
      { action: `${user}.update`, where: { id: '$user.id' } },
    ],
    [`${post}.create $user.author ${user}.update`],
  ],
] as const)('a rule is named if %s', async (_, permissions, lines) => {
  const plain = reads.filter(
    (action) => !permissions.some((entry) => (entry as { action?: string }).action === action),
  );
  expect(await undermined([...plain, ...permissions])).toEqual(lines);
});

test.each([
  ['the rule of updates is asked from the other side', [updateOwn, deleteOwn, `${writer}.create`, `${writer}.update`]],
  [
    'related entries are protected as well',
    [updateOwn, `${user}.find`, { action: `${writer}.update`, where: { user: { id: '$user.id' } } }],
  ],
  ['the attribute may not be written', [deleteOwn, { action: `${post}.update`, fields: ['-author'] }]],
  [
    'the value of new entries is set',
    [
      { action: `${tag}.update`, where: { posts: { title: 'x' } } },
      { action: `${post}.create`, set: { tags: 1 } },
    ],
  ],
  ['the account cannot be changed', [{ action: `${post}.delete`, where: { title: '$user.department' } }]],
  [
    'its privileges cannot be changed',
    [
      { action: `${post}.delete`, where: { title: '$user.role.type' } },
      { action: `${user}.update`, where: { id: '$user.id' } },
    ],
  ],
] as const)('no rule is named if %s', async (_, permissions) => {
  expect(await undermined([...reads, ...permissions])).toEqual([]);
});
