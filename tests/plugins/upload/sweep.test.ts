import { mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { openLocalStore } from '../../../src/plugins/upload/local-store.js';
import { sweepFiles } from '../../../src/plugins/upload/sweep.js';
import { useService } from '../../support/service.js';
import { leftovers, picture, storedIn, upload } from './media.js';

const client = useService();
const HOUR = 3_600_000;

test('what failed uploads left is removed after an hour, and nothing else', async () => {
  const { dataFolder, entries } = client.service;
  const folder = path.join(dataFolder, 'uploads');
  const temporary = path.join(dataFolder, 'uploads-temporary');
  const [file] = await upload(client.service, { content: await picture(600, 400), name: 'small_thumbnail_kept.png' });
  const kept = await storedIn(client.service);
  expect(kept).toHaveLength(3);

  const orphan = `large_${file.hash}.png`;
  for (const name of ['nobody_0123456789.png', orphan, '.half-way']) await writeFile(path.join(folder, name), 'x');
  await mkdir(path.join(temporary, 'old'), { recursive: true });
  await writeFile(path.join(temporary, 'old', 'part'), 'x');
  const sweep = (now: number) => sweepFiles({ store: openLocalStore(folder), entries, folder: temporary }, now);

  await sweep(Date.now());
  expect(await storedIn(client.service)).toHaveLength(6);
  expect(await leftovers(dataFolder)).toEqual(['old', 'old/part']);

  const long = new Date(Date.now() - 2 * HOUR);
  await utimes(path.join(folder, kept[0] ?? ''), long, long);
  await sweep(Date.now() + 1.1 * HOUR);
  expect(await storedIn(client.service)).toEqual(kept);
  expect(await leftovers(dataFolder)).toEqual([]);
});
