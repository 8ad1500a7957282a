import { expect, test } from '@jest/globals';
import { link } from '../../../src/content-types/link/link.js';
import { load } from '../../../src/content-types/load/load.js';
import type { ContentTypeDefinition, Defined } from '../../../src/content-types/model/definition.js';
import type { Registry } from '../../../src/content-types/model/types.js';
import { apiToken } from '../../../src/plugins/api-tokens/definition.js';
import { proposal } from '../../../packages/mcp/src/definition.js';
import { version } from '../../../packages/versions/src/definition.js';
import { file, user } from './define.js';

async function corpus(...more: readonly Defined<ContentTypeDefinition>[]): Promise<Registry> {
  const { contentTypes, components } = await load('tests/fixtures/corpus/content-types');
  return link({ contentTypes: [...contentTypes, file, user, ...more], components });
}

test('the content types of a Strapi v4 project are linked unchanged', async () => {
  const { contentTypes, components } = await corpus();
  expect([contentTypes.size, components.size]).toEqual([15, 9]);
  const account = contentTypes.get('api::author.author')?.attributes.get('account');
  expect(account?.kind === 'relation' && account.target).toBe(contentTypes.get('plugin::users-permissions.user'));
});

test('morph relations can refer to every content type but those of the service itself', async () => {
  const { contentTypes } = await corpus(version, apiToken, proposal);
  for (const [uid, name] of [
    ['api::comment.comment', 'subject'],
    ['api::bookmark.bookmark', 'items'],
  ] as const) {
    const attribute = contentTypes.get(uid)?.attributes.get(name);
    const candidates = attribute?.kind === 'morph' ? attribute.candidates : new Map<string, unknown>();
    const missing = [...contentTypes.keys()].filter((other) => !candidates.has(other));
    expect(missing.toSorted()).toEqual(['admin::api-token', 'admin::entry-version', 'admin::mcp-proposal']);
    for (const [other, target] of candidates) expect(contentTypes.get(other)).toBe(target);
  }
});
