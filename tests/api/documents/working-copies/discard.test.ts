import { expect, test } from '@jest/globals';
import { system } from '../../../../src/documents/caller.js';
import { openStore } from '../../../../src/mongo/store.js';
import { plainEntry } from '../../../../src/query/entry-presenter.js';
import { openDocuments } from '../../../support/open-documents.js';
import { useService } from '../../../support/service.js';

const client = useService({ contentTypes: 'tests/api/documents/working-copies/content-types' });

/** As `strapi.documents` discards drafts, also of a plugin's content types, which have no working copies. */
test('of a type without working copies nothing is discarded, and no entry deleted', async () => {
  const { registry, database } = client.service;
  const type = registry.contentTypes.get('api::author.author');
  if (type === undefined) throw new Error('There are no authors');
  const documents = openDocuments(registry, openStore(database.db, { timeout: 60_000, exclusive: false }));
  const id = await client.create('authors', { name: 'Ada' });
  const request = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } } as const;
  const discarding = documents.delete({ type, id }, { ...request, status: 'draft' });
  await expect(discarding).rejects.toMatchObject({ code: 'notFound' });
  expect((await client.get(`/api/authors/${id}`)).status).toBe(200);
});
