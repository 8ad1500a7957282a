import { expect, test } from '@jest/globals';
import request from 'supertest';
import { commandsOf } from '../../../tests/support/commands.js';
import { useService, type Answer } from '../../../tests/support/service.js';

const client = useService({ plugins: { strapi5: true }, environment: { RESPONSE_CACHE: '0' } });
const write = async (method: 'post' | 'put', path: string, title: string): Promise<string> => {
  const { [method]: open } = request(client.service.url);
  const sent = open(`/v5/api/articles${path}`).auth(client.service.token, { type: 'bearer' });
  return (await sent.send({ data: { title } })).body.data.documentId as string;
};

test('concurrent reads of entries by documentId share commands, and each returns its own', async () => {
  await client.service.applyAccess({
    roles: [],
    tokens: [],
    locales: ['en', 'fr'].map((code) => ({ code, name: undefined, isDefault: code === 'en' })),
  });
  const titles = new Map<string, string | undefined>([['nothing', undefined]]);
  for (const name of ['One', 'Two', 'Three']) {
    const documentId = await write('post', '', name);
    titles.set(documentId, name);
    titles.set(`${documentId}?locale=fr`, name === 'Two' ? undefined : `${name} fr`);
    if (name !== 'Two') await write('put', `/${documentId}?locale=fr`, `${name} fr`);
  }
  const draft = await write('post', '?status=draft', 'Draft');
  titles.set(draft, undefined);
  titles.set(`${draft}?status=draft`, 'Draft');
  const asked = Array.from({ length: 10 }, () => [...titles]).flat();
  let answers: readonly Answer[] = [];
  const commands = await commandsOf(client.service, async () => {
    answers = await Promise.all(asked.map(([path]) => client.get(`/v5/api/articles/${path}`)));
  });
  expect(answers.map(({ status, body }, index) => [asked[index]?.[0], status, body.data?.title])).toEqual(
    asked.map(([path, title]) => [path, title === undefined ? 404 : 200, title]),
  );
  expect(commands.filter((name) => name === 'find').length).toBeLessThan(asked.length);
});
