import { beforeEach, expect, test } from '@jest/globals';
import { useService } from '../../../../tests/support/service.js';
import type { PolicyRequest } from '../../../../src/plugins/contract/access/policy-request.js';
import { asker } from './ask.js';

const asked: PolicyRequest[] = [];
const policies = [
  (request: PolicyRequest): boolean => {
    asked.push(request);
    return !JSON.stringify([request.query, request.body]).includes('forbidden');
  },
];
const rest = useService({
  plugins: { strapi5: true },
  extension: {
    guards: {
      'api::tag.tag.find': { policies },
      'api::tag.tag.update': { policies },
      'api::author.author.find': { middlewares: [(_request, _response, next) => next()] },
    },
  },
});
const ask = asker(rest);
beforeEach(() => void asked.splice(0));

test('policies run before reads, and see the arguments as parameters', async () => {
  await ask.data('{ tags(filters: { name: { eq: "A" } }) { name } }');
  await ask.data('{ tags_connection(status: DRAFT) { pageInfo { total } } }');
  expect(asked).toMatchObject([
    { action: 'api::tag.tag.find', query: { filters: { name: { $eq: 'A' } } } },
    { action: 'api::tag.tag.find', query: { status: 'draft' } },
  ]);
  expect(await ask('{ tags(filters: { name: { eq: "forbidden" } }) { name } }')).toMatchObject({
    errors: [{ extensions: { code: 'FORBIDDEN' } }],
  });
});

test('policies of one entry get its number, by which they know it', async () => {
  const id = await rest.create('tags', { name: 'A' });
  const { tags } = await ask.data('{ tags { documentId } }');
  const query = 'mutation ($d: ID!, $name: String) { updateTag(documentId: $d, data: { name: $name }) { name } }';
  asked.splice(0);
  await ask.data(query, { d: tags[0].documentId, name: 'B' });
  expect(asked).toMatchObject([{ action: 'api::tag.tag.update', id: String(id), body: { data: { name: 'B' } } }]);
  expect(await ask(query, { d: tags[0].documentId, name: 'forbidden' })).toMatchObject({ data: { updateTag: null } });
  expect(await ask.data('{ tags { name } }')).toEqual({ tags: [{ name: 'B' }] });
});

test('what has middlewares over REST is refused', async () => {
  for (const query of ['{ authors { name } }', '{ authors_connection { pageInfo { total } } }'])
    expect(await ask(query)).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
});
