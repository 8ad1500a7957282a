import { expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestService } from '../../../src/testing.js';
import { startS3 } from './stores.js';

test('while the store of files is away, uploads and files answer 503 with Retry-After', async () => {
  const s3 = await startS3();
  const service = await createTestService({
    contentTypes: 'tests/property/content-types',
    mongodbUri: process.env['TEST_MONGODB_URI'] ?? '',
    plugins: { upload: { config: s3.config } },
  });
  const upload = () =>
    request(service.url)
      .post('/api/upload')
      .auth(service.token, { type: 'bearer' })
      .attach('files', Buffer.from('text'), 'a.txt');
  try {
    const stored = await upload();
    expect(stored.status).toBe(200);
    const [{ url, id }] = stored.body as [{ url: string; id: number }];
    await s3.stop();
    const away = {
      status: 503,
      headers: { 'retry-after': '2' },
      body: { error: { message: 'The store of files does not answer, try again in a few seconds' } },
    };
    expect(await upload()).toMatchObject(away);
    expect(await request(service.url).get(url)).toMatchObject(away);
    const file = `/api/upload/files/${id}`;
    expect((await request(service.url).get(file).auth(service.token, { type: 'bearer' })).status).toBe(200);
  } finally {
    await service.close();
  }
}, 60_000);
