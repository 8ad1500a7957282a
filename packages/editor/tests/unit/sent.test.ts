import { expect, test } from '@jest/globals';
import type { Answer, Api } from '../../src/browser/api/api.js';
import { createEntry, publicationOf, updateEntry, type Publication } from '../../src/browser/api/write-entry.js';
import { changesOf, creationOf, type Data } from '../../src/browser/model/body.js';
import { copyOf } from '../../src/browser/model/copy.js';
import type { ContentType } from '../../src/browser/model/schema.js';
import { newValues, valuesOf, type Values } from '../../src/browser/model/values.js';
import { formerValues, restorable, type Version } from '../../src/browser/model/version.js';
import { article, content } from './content.js';

/** Everything that a form can send, of a user who may write the title alone. */
const isTitle = (name: string): boolean => name === 'title';
const limited: ContentType = {
  ...article,
  attributes: article.attributes.map((attribute) => ({
    ...attribute,
    create: isTitle(attribute.name),
    update: isTitle(attribute.name),
  })),
};
const written: Values = {
  ...newValues(content, article, 'new'),
  ...valuesOf(content, article, { title: 'Bread', rating: 3, meta: { a: 1 }, author: { id: 7 }, links: [{ id: 1 }] }),
};
const version: Version = { id: 1, at: '', by: null, data: { title: 'Rye', rating: 1, meta: null, author: null } };

/** An API that keeps the data of all writes. */
function openKeeping() {
  const sent: Data[] = [];
  const answer: Answer = { body: { id: 1, data: { id: 1, attributes: {} } }, etag: 'a' };
  const api: Api = {
    get: async () => answer,
    send: async (_method, _path, { body } = {}) => {
      const { data = body } = (body ?? {}) as { readonly data?: Data };
      sent.push(data as Data);
      return answer;
    },
  };
  return { api, sent };
}

const entry = { id: 1, attributes: {} };
const creations: readonly (readonly [
  name: string,
  type: ContentType,
  values: Values,
  source: typeof entry | undefined,
])[] = [
  ['a new entry', limited, written, undefined],
  ['a duplicate', limited, copyOf(limited, written), undefined],
  ['a translation', limited, copyOf(limited, written), entry],
  ['a single page', { ...limited, kind: 'singleType' }, written, undefined],
  ['a user', { ...limited, plain: true }, written, undefined],
];
const publications: readonly (Publication | undefined)[] = [undefined, 'publish', 'unpublish'];

test.each(creations)('%s is sent without what may not be written', async (_, type, values, source) => {
  for (const publication of publications) {
    const { api, sent } = openKeeping();
    const data = { ...creationOf(content, type, values), ...publicationOf(type, publication, true) };
    await createEntry(api, { type, query: {}, locale: 'en', source }, data);
    // The language of an entry is no value that rules withhold.
    const names = sent.flatMap((one) => Object.keys(one)).filter((name) => name !== 'locale');
    expect(names).toEqual(['title']);
  }
});

test.each([
  ['a stored entry', {}],
  ['a published entry whose changes are prepared', { workingCopies: true as const }],
])('%s is changed without what may not be written, also by values of a version', async (_, more) => {
  const type = { ...limited, ...more };
  const base = newValues(content, article, 'stored');
  const then = formerValues(content, type, version, written, (_uid, id) => ({ id }));
  const taken = Object.fromEntries(
    restorable(type, version, written, then).map(({ name }) => [name, then[name] ?? null]),
  );
  for (const publication of publications)
    for (const values of [written, { ...written, ...taken }]) {
      const { api, sent } = openKeeping();
      const place = { content, type, id: 1, query: {} };
      const changes = changesOf(content, type, base, values);
      await updateEntry(api, place, (send) => send('a'), changes, publication);
      expect([...new Set(sent.flatMap((one) => Object.keys(one)))]).toEqual(['title']);
    }
});

test('who may write it decides when a new entry is published', () => {
  expect(publicationOf(article, undefined, true)).toEqual({ publishedAt: null });
  expect(publicationOf(article, 'publish', true)).toEqual({ publishedAt: expect.any(String) });
  expect(publicationOf({ ...article, draftAndPublish: false }, undefined, true)).toEqual({});
});
