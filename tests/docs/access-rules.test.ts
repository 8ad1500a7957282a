import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { usePeople, type AuthUser } from '../api/plugins/users-permissions/users-client.js';
import { declare, publisher, type Permission } from '../support/access.js';

const people = usePeople({ contentTypes: publisher });
const section = readFileSync('docs/access-rules.md', 'utf8').split('## Examples')[1]?.split('\n## ')[0] ?? '';
const examples = [...section.matchAll(/\*\*([^*]+)\.\*\*[^]*?```json\n([^]*?)```/g)].map(
  ([, name = '', json = '']) => [name, JSON.parse(json) as readonly Permission[]] as const,
);

const article = 'api::article.article';
let ann: AuthUser;
let bob: AuthUser;
const ids: Record<string, number> = {};

const create = async (uid: string, data: Readonly<Record<string, unknown>>): Promise<number> =>
  (await people.service.entries.create(uid, data)).id;
const titles = async ({ jwt }: AuthUser, query = ''): Promise<readonly string[]> => {
  const { body } = await people.send('get', `/api/articles?sort=id&${query}`, undefined, jwt);
  return body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title);
};
const put = async (title: string, { jwt }: AuthUser): Promise<number> =>
  (await people.send('put', `/api/articles/${ids[title]}`, { data: { fee: 1 } }, jwt)).status;
const post = async ({ jwt }: AuthUser): Promise<Readonly<Record<string, unknown>>> => {
  const { body } = await people.send('post', '/api/articles', { data: { title: 'New', author: 1 } }, jwt);
  const populate = ['author', 'company'];
  const entry = await people.service.entries.findOne(article, body.data.id, { populate });
  await people.service.entries.delete(article, entry.id);
  return entry;
};

beforeAll(async () => {
  [ann, bob] = [await people.register('ann'), await people.register('bob')];
  for (const { id: user, email } of [ann, bob]) {
    const name = email.split('@')[0] ?? '';
    const company = await create('api::company.company', { name });
    await people.service.entries.update('plugin::users-permissions.user', user, { company });
    const author = await create('api::author.author', { name, user });
    const publishedAt = name === 'ann' ? null : '2024-01-01T00:00:00Z';
    const data = { author, company, reviewer: user, publishedAt };
    ids[name] = await create(article, { ...data, title: name });
  }
});

const scenarios: Readonly<Record<string, () => Promise<void>>> = {
  'Own entries': async () => {
    expect(await titles(ann, 'publicationState=preview')).toEqual(['ann', 'bob']);
    expect([await put('ann', ann), await put('bob', ann)]).toEqual([200, 404]);
    expect((await post(bob))['author']).toMatchObject({ name: 'bob' });
  },
  'A tenant per company': async () => {
    expect([await titles(ann, 'publicationState=preview'), await titles(bob)]).toEqual([['ann'], ['bob']]);
    expect([await put('ann', ann), await put('bob', ann)]).toEqual([200, 404]);
    expect((await post(ann))['company']).toMatchObject({ name: 'ann' });
  },
  'Draft reviewers': async () => {
    expect(await titles(ann, 'publicationState=preview')).toEqual(['ann', 'bob']);
    expect(await titles(bob, 'publicationState=preview')).toEqual(['bob']);
  },
  'Part of the fields': async () => {
    const { body } = await people.send('get', '/api/articles?populate=*', undefined, ann.jwt);
    const [{ attributes }] = body.data;
    expect(Object.keys(attributes).toSorted()).toEqual(['author', 'section', 'title']);
    expect(Object.keys(attributes.author.data.attributes)).not.toContain('phone');
    const statusOf = async (query: string) =>
      (await people.send('get', `/api/articles?${query}`, undefined, ann.jwt)).status;
    expect([await statusOf('sort=fee'), await statusOf('filters[author][phone][$null]=true')]).toEqual([400, 400]);
    expect(await put('bob', ann)).toBe(400);
  },
};

test('each example is tested', () => {
  expect(examples.map(([name]) => name)).toEqual(Object.keys(scenarios));
});

test.each(examples)('the example %s works as documented', async (name, permissions) => {
  await declare(people.service, { authenticated: permissions });
  await expect(scenarios[name]?.()).resolves.toBeUndefined();
});
