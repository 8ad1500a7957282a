import { expect, test } from '@jest/globals';
import { openWorkspace } from '../../../../src/mongo/maintenance/import-workspace.js';
import { useService } from '../../../support/service.js';

const client = useService();

test('an import takes nothing that an interrupted one has shelved', async () => {
  const { db } = client.service.database;
  const interrupted = await openWorkspace(db);
  await interrupted.shelve(new Map([['Quote 1', { text: 'not in the source any more' }]]));
  const workspace = await openWorkspace(db);
  expect(await workspace.take(['Quote 1'])).toEqual(new Map());
  await workspace.close();
});
