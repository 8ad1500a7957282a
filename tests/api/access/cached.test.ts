import { beforeAll, expect, test } from '@jest/globals';
import { declare, publisher, type Permission } from '../../support/access.js';
import { usePeople, type AuthUser } from '../plugins/users-permissions/users-client.js';

const people = usePeople({ contentTypes: publisher, environment: { RESPONSE_CACHE: '1mb' } });
const article = 'api::article.article';
const user = 'plugin::users-permissions.user';
const companies: number[] = [];
let ann: AuthUser;
let bob: AuthUser;

const move = ({ id }: AuthUser, company: number | undefined) => people.service.entries.update(user, id, { company });
const role = (...permissions: readonly Permission[]): Promise<void> =>
  declare(people.service, { authenticated: permissions });
/** The last of several equal responses: the cache keeps a body from its second request on. */
async function cached({ jwt }: AuthUser, path: string): Promise<any> {
  const texts = [];
  for (let sent = 0; sent < 3; sent += 1) texts.push((await people.send('get', path, undefined, jwt)).text);
  expect(new Set(texts).size).toBe(1);
  return JSON.parse(texts[0] ?? '');
}
const titles = async (who: AuthUser): Promise<readonly string[]> =>
  (await cached(who, '/api/articles?sort=id')).data.map(({ attributes }: any) => attributes.title);

beforeAll(async () => {
  [ann, bob] = [await people.register('ann'), await people.register('bob')];
  for (const name of ['One', 'Two']) {
    const { id: company } = await people.service.entries.create('api::company.company', { name });
    companies.push(company);
    await people.service.entries.create(article, { title: name, fee: 7, company, publishedAt: '2024-01-01T00:00:00Z' });
  }
  await move(ann, companies[0]);
  await move(bob, companies[1]);
});

test('cached responses depend on the values of the rule, which count at once when they change', async () => {
  const where = { company: { id: '$user.company.id' } };
  await role({ action: `${article}.find`, where }, { action: `${article}.findOne`, where });
  expect([await titles(ann), await titles(bob)]).toEqual([['One'], ['Two']]);
  await move(ann, companies[1]);
  expect([await titles(ann), await titles(bob)]).toEqual([['Two'], ['Two']]);
  await move(bob, companies[0]);
  expect(await titles(bob)).toEqual(['One']);
});

test('cached responses have the fields of their caller', async () => {
  await declare(people.service, {
    authenticated: [{ action: `${article}.find`, fields: ['title'] }],
    public: [`${article}.find`],
  });
  const path = '/api/articles?sort=id&pagination[limit]=1';
  const everyone = async (): Promise<any> => (await people.send('get', path)).body;
  for (let sent = 0; sent < 3; sent += 1) expect((await everyone()).data[0].attributes.fee).toBe(7);
  expect((await cached(ann, path)).data[0].attributes).toEqual({ title: 'One' });
  expect((await everyone()).data[0].attributes.fee).toBe(7);
});
