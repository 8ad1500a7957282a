import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { openGridFiles } from '../../../../src/mongo/files/grid-files.js';
import { FILE } from '../../../../src/plugins/upload/definitions.js';
import { openLocalStore } from '../../../../src/plugins/upload/storage/open-store.js';
import { presentIn } from '../../../../src/plugins/upload/storage/places.js';
import { createCodeProvider, keptIn } from '../../../../src/plugins/upload/storage/code-provider.js';
import { openValues } from '../../../../src/mongo/values.js';
import { sweepFiles } from '../../../../src/plugins/upload/storage/sweep.js';
import { useService } from '../../../support/service.js';
import { leftovers, picture, send, upload } from './media.js';

const HOUR = 3_600_000;

describe.each(['local', 'gridfs'] as const)('in the store %s', (provider) => {
  const client = useService({ plugins: { upload: { config: { provider } } } });
  const parts = () => {
    const { dataFolder, entries, database } = client.service;
    const folder = path.join(dataFolder, 'uploads-temporary');
    const store = provider === 'local' ? openLocalStore(path.join(dataFolder, 'uploads')) : openGridFiles(database.db);
    const kept = keptIn(openValues(database.db));
    return { store, places: [presentIn(entries)], kept, folder };
  };
  const names = async () => {
    const found: string[] = [];
    for await (const { name } of parts().store.list()) found.push(name);
    return found.toSorted();
  };

  test('files of failed uploads are removed after an hour, and no others', async () => {
    const { store, folder } = parts();
    const [file] = await upload(client.service, { content: await picture(600, 400), name: 'small_thumbnail_kept.png' });
    const kept = await names();
    expect(kept).toHaveLength(3);
    for (const name of ['nobody_0123456789.png', `large_${file.hash}.png`]) await store.put(name, Readable.from(['x']));
    await mkdir(path.join(folder, 'old'), { recursive: true });
    await writeFile(path.join(folder, 'old', 'part'), 'x');

    await sweepFiles(parts(), Date.now());
    expect(await names()).toHaveLength(5);
    expect(await leftovers(client.service.dataFolder)).toEqual(['old', 'old/part']);

    await sweepFiles(parts(), Date.now() + 1.1 * HOUR);
    expect(await names()).toEqual(kept);
    expect(await leftovers(client.service.dataFolder)).toEqual([]);
  });

  test('files that code has stored without a record stay until it deletes them', async () => {
    const before = await names();
    const values = openValues(client.service.database.db);
    const files = createCodeProvider(
      () =>
        ({
          address: '/uploads/',
          store: parts().store,
          context: { storage: { values } },
        }) as never,
    ) as unknown as Readonly<Record<'upload' | 'delete', (file: object) => Promise<void>>>;
    const file = { hash: 'invoice_0123456789', ext: '.pdf', buffer: Buffer.from('x') };
    await files.upload(file);
    expect(file).toMatchObject({ url: '/uploads/invoice_0123456789.pdf' });
    await sweepFiles(parts(), Date.now() + 1.1 * HOUR);
    expect(await names()).toEqual([...before, 'invoice_0123456789.pdf'].toSorted());
    await files.delete(file);
    expect(await names()).toEqual(before);
    expect(await parts().kept(['invoice_0123456789.pdf'])).toEqual(new Set());
  });

  test('sizes that a replaced file no longer has are removed', async () => {
    const before = await names();
    const [{ id, hash }] = await upload(client.service, { content: await picture(600, 600), name: 'a.png' });
    await send(client.service, 'post', `/api/upload?id=${id}`, [{ content: await picture(300, 200), name: 'b.png' }]);
    await sweepFiles(parts(), Date.now() + 1.1 * HOUR);
    expect(await names()).toEqual([...before, `${hash}.png`, `thumbnail_${hash}.png`].toSorted());
  });
});

describe('in a folder', () => {
  const client = useService();

  test('files stay of which the record comes after a thousand others that share a hash', async () => {
    const { dataFolder, database, entries, registry } = client.service;
    const store = openLocalStore(path.join(dataFolder, 'uploads'));
    for (const name of ['shared.txt', 'last.txt']) await store.put(name, Readable.from(['x']));
    const records = database.db.collection<{ _id: number }>(registry.contentTypes.get(FILE)?.collectionName ?? '');
    const hashes = [...Array.from({ length: 1001 }, () => 'shared'), 'last'];
    await records.insertMany(hashes.map((hash, index) => ({ _id: index + 1, hash, ext: '.txt' })));
    const swept = { store, places: [presentIn(entries)], kept: keptIn(openValues(database.db)) };
    await sweepFiles({ ...swept, folder: path.join(dataFolder, 'uploads-temporary') }, Date.now() + 1.1 * HOUR);
    await records.deleteMany({});
    expect((await readdir(path.join(dataFolder, 'uploads'))).toSorted()).toEqual(['last.txt', 'shared.txt']);
    for (const name of ['shared.txt', 'last.txt']) await store.remove(name);
  });

  test('incomplete files are removed', async () => {
    const folder = path.join(client.service.dataFolder, 'uploads');
    const store = openLocalStore(folder);
    await store.put('whole.txt', Readable.from(['x']));
    await writeFile(path.join(folder, '.half-way'), 'x');
    await store.removeUnfinished(new Date(Date.now() - HOUR));
    expect(await readdir(folder)).toHaveLength(2);
    await store.removeUnfinished(new Date(Date.now() + HOUR));
    expect(await readdir(folder)).toEqual(['whole.txt']);
  });
});
