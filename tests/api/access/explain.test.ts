import { beforeAll, expect, test } from '@jest/globals';
import { declare, publisher, type Permission } from '../../support/access.js';
import { usePeople, type AuthUser } from '../plugins/users-permissions/users-client.js';

const people = usePeople({ contentTypes: publisher, environment: { DRAFTS: 'restricted' } });
const article = 'api::article.article';
const own = { author: { user: { id: '$user.id' } } };
let ann: AuthUser;
const ids: number[] = [];

async function explain(caller: string, action: string, id?: number): Promise<Readonly<Record<string, any>>> {
  const command = people.service.commands.find(({ usage }) => usage.startsWith('explain '));
  const result = await command?.run({ caller, action, ...(id !== undefined && { id: String(id) }) });
  return Object.fromEntries(result?.rows.map(({ property, value }) => [property, value]) ?? []);
}

beforeAll(async () => {
  ann = await people.register('ann');
  const { entries } = people.service;
  const { id: author } = await entries.create('api::author.author', { name: 'Ann', user: ann.id });
  for (const data of [{ author }, {}, { author, publishedAt: null }]) {
    ids.push((await entries.create(article, { title: 'x', publishedAt: '2024-01-01T00:00:00Z', ...data })).id);
  }
  const permissions: Permission[] = [
    `${article}.find`,
    { action: `${article}.update`, where: own, fields: ['-fee'] },
    { action: `${article}.create`, set: { reviewer: '$user.id' } },
  ];
  await declare(people.service, { authenticated: permissions }, { app: [`${article}.find`] });
});

test('the rule of a user is explained, with the filter that the database gets', async () => {
  const { filter, rule, ...explained } = await explain('ann', `${article}.update`);
  expect(explained).toEqual({
    caller: 'user ann (role authenticated)',
    action: `${article}.update`,
    allowed: true,
    because: 'for the entries that match the filter',
    withheld: ['fee'],
  });
  expect(rule).toEqual([{ action: `${article}.update`, where: own, fields: ['-fee'] }]);
  expect(JSON.stringify(filter)).toContain('"author"');
});

test('why an entry is allowed or not', async () => {
  const [mine, another, draft] = ids;
  const becauseOf = async (caller: string, action: string, id?: number) => {
    const { allowed, because } = await explain(caller, `${article}.${action}`, id);
    return [allowed, because];
  };
  expect(await becauseOf('ann@example.test', 'update', mine)).toEqual([true, 'the entry matches']);
  expect(await becauseOf('ann', 'update', another)).toEqual([false, `it does not match the rule of ${article}.update`]);
  expect(await becauseOf('ann', 'update', draft)).toEqual([false, 'it is a draft, and the caller may not see drafts']);
  expect(await becauseOf('ann', 'update', 999)).toEqual([false, 'there is no entry 999']);
  expect(await becauseOf('ann', 'delete', mine)).toEqual([false, `the caller has no permission ${article}.delete`]);
  expect(await becauseOf('app', 'find', mine)).toEqual([true, 'the entry matches']);
});

test('a role has no user, and its new entries have the values of one', async () => {
  const { filter } = await explain('authenticated', `${article}.update`, ids[0]);
  expect(JSON.stringify(filter)).toContain('_live');
  const { set } = await explain('ann', `${article}.create`);
  expect(set).toEqual({ reviewer: ann.id });
  await expect(explain('nobody', `${article}.find`)).rejects.toThrow('there is no role, API token or user "nobody"');
  await expect(explain('ann', `${article}.fnd`)).rejects.toThrow('did you mean');
});

test('a user is called by address, name or id, and never taken for another one', async () => {
  const explained = async (caller: string): Promise<unknown> => (await explain(caller, `${article}.create`))['set'];
  for (const caller of ['Ann@Example.test', String(ann.id)])
    expect(await explained(caller)).toEqual({ reviewer: ann.id });
  const sam = await people.register('sam');
  await people.service.entries.update('plugin::users-permissions.user', sam.id, { username: ann.email });
  await expect(explained(ann.email)).rejects.toThrow(`Several users are called "${ann.email}": use an id`);
});
