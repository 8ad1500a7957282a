import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { bootstrap } from '../../../../extensions/index.js';
import { useService } from '../../../support/service.js';
import { leftovers, picture, storedIn } from './media.js';

describe('a file uploaded by project code', () => {
  const client = useService({ plugins: { upload: { config: { sizeLimit: 10_000, deniedTypes: ['text/html'] } } } });

  test('is stored like an upload over HTTP', async () => {
    const info = { alternativeText: 'red' };
    const file = await client.service.uploadFile('a.png', Readable.from([await picture(300, 300)]), info);
    expect(file).toMatchObject({ name: 'a.png', mime: 'image/png', width: 300, alternativeText: 'red' });
    expect((await client.get(String(file['url']))).status).toBe(200);
  });

  test.each([
    ['is too large', 'a.txt', 'x'.repeat(10_001), 'payloadTooLarge'],
    ['is of a denied type', 'a.txt', '<html>', 'refusedFileType'],
    ['has no name', '', 'x', 'application'],
  ])('is refused if it %s, and leaves no files', async (_why, name, content, code) => {
    const before = await storedIn(client.service);
    const storing = client.service.uploadFile(name, Readable.from([content]));
    await expect(storing).rejects.toMatchObject({ code });
    expect([await storedIn(client.service), await leftovers(client.service.dataFolder)]).toEqual([before, []]);
  });
});

describe('the sample content', () => {
  const client = useService({ contentTypes: 'content-types', extension: { bootstrap } });

  test('has articles with cover images', async () => {
    const { body } = await client.get('/api/articles?populate=cover&pagination[pageSize]=100&publicationState=preview');
    expect(body.data).toHaveLength(30);
    for (const { attributes } of body.data) {
      const { formats, alternativeText } = attributes.cover.data.attributes;
      expect(Object.keys(formats).toSorted()).toEqual(['medium', 'small', 'thumbnail']);
      expect(alternativeText).toMatch(/: hills under the sun$/);
    }
    expect((await client.get('/api/upload/files')).body).toHaveLength(9);
  });
});

describe('without the upload plugin', () => {
  const client = useService({ contentTypes: 'tests/api/plugins/i18n/content-types', plugins: { upload: false } });

  test('no file is accepted', async () => {
    await expect(client.service.uploadFile('a.txt', Readable.from(['x']))).rejects.toThrow('turned off');
  });
});
