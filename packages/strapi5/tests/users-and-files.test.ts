import { expect, test } from '@jest/globals';
import { useService } from '../../../tests/support/service.js';

const client = useService({ plugins: { strapi5: true } });

/** The details of the refusal of a read. */
const refusal = async (path: string): Promise<unknown> => {
  const { url, token } = client.service;
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const body = (await response.json()) as { readonly error?: { readonly details: unknown } };
  return [response.status, body.error?.details];
};

test.each([
  ['users?fields=password', 'password', 'password', 'fields'],
  ['users?sort=nope', 'nope', null, 'sort'],
  ['users?populate=username', 'username', 'username', 'populate'],
  ['users/1?populate=nope', 'nope', 'nope', 'populate'],
  ['users/count?filters[nope]=1', 'nope', null, 'filters'],
  ['upload/files?populate=nope', 'nope', 'nope', 'populate'],
  ['upload/files/1?filters[nope]=1', 'nope', null, 'filters'],
])('reads of users and files refuse unknown names as those of entries do: %s', async (path, key, place, param) => {
  expect(await refusal(`/v5/api/${path}`)).toEqual([400, { key, path: place, source: 'query', param }]);
});

test("in v4's form unknown names to populate are ignored", async () => {
  expect(await refusal('/api/upload/files?populate=nope')).toEqual([200, undefined]);
  expect(await refusal('/api/users?populate=nope')).toEqual([200, undefined]);
});
