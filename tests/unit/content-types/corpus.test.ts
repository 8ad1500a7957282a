import { expect, test } from '@jest/globals';
import { link } from '../../../src/content-types/link/link.js';
import { load } from '../../../src/content-types/load/load.js';
import type { Registry } from '../../../src/content-types/model/types.js';
import { file, user } from './define.js';

async function corpus(): Promise<Registry> {
  const { contentTypes, components } = await load('tests/fixtures/corpus/content-types');
  return link({ contentTypes: [...contentTypes, file, user], components });
}

test('the content types of a Strapi v4 project are linked unchanged', async () => {
  const { contentTypes, components } = await corpus();
  expect([contentTypes.size, components.size]).toEqual([15, 9]);
  const account = contentTypes.get('api::author.author')?.attributes.get('account');
  expect(account?.kind === 'relation' && account.target).toBe(contentTypes.get('plugin::users-permissions.user'));
});

test('morph relations of a Strapi v4 project can refer to every content type', async () => {
  const { contentTypes } = await corpus();
  for (const [uid, name] of [
    ['api::comment.comment', 'subject'],
    ['api::bookmark.bookmark', 'items'],
  ] as const) {
    const attribute = contentTypes.get(uid)?.attributes.get(name);
    expect(attribute?.kind === 'morph' && attribute.candidates).toBe(contentTypes);
  }
});
