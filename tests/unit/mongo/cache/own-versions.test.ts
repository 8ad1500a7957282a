import { expect, test } from '@jest/globals';
import { changesSince, type TypeVersion, type VersionLog, ownVersions } from '../../../../src/mongo/cache/versions.js';

test('each change of a type gives it a new version, with the changes since earlier ones', async () => {
  const versions = ownVersions({ read: () => Promise.resolve(new Map()) });
  const types = ['tag', 'page'];
  const read = async (): Promise<readonly (TypeVersion | undefined)[]> => {
    const current = await versions.read(types);
    return types.map((type) => current.get(type));
  };
  const change = { type: 'tag', id: 1, names: ['name'] };
  const [before, pages] = await read();
  await versions.raise([change]);
  const [changed] = await read();
  await versions.raise([{ type: 'tag', id: 2 }]);
  const [after, pagesAfter] = await read();
  expect(new Set([before, changed, after].map((tag) => tag?.version)).size).toBe(3);
  expect(pagesAfter?.version).toBe(pages?.version);
  const log: VersionLog = (await after?.log()) ?? [];
  expect(changesSince(log, before?.version ?? '')).toEqual([change, { type: 'tag', id: 2 }]);
  expect(changesSince(log, after?.version ?? '')).toEqual([]);
});
