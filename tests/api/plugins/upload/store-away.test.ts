import { expect, test } from '@jest/globals';
import request, { type Response } from 'supertest';
import { createTestService } from '../../../../src/testing.js';
import { startS3 } from './stores.js';

test('while the upload store is down, uploads and files return 503, and /_ready reports degraded', async () => {
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
  const ready = () => request(service.url).get('/_ready');
  try {
    const stored = await upload();
    expect(stored.status).toBe(200);
    const [{ url, id }] = stored.body as [{ url: string; id: number }];
    expect((await ready()).status).toBe(204);
    await s3.pause();
    const away = {
      status: 503,
      headers: { 'retry-after': '2' },
      body: { error: { message: 'The file store does not answer, try again in a few seconds' } },
    };
    expect(await upload()).toMatchObject(away);
    expect(await request(service.url).get(url)).toMatchObject(away);
    expect(await until(ready, 200)).toMatchObject({ body: { status: 'degraded', degraded: ['upload store'] } });
    const file = `/api/upload/files/${id}`;
    expect((await request(service.url).get(file).auth(service.token, { type: 'bearer' })).status).toBe(200);
    await s3.resume();
    await until(ready, 204);
    expect((await upload()).status).toBe(200);
  } finally {
    await service.close();
    await s3.stop();
  }
});

/** Repeats a request until it gets this status; the time limit of the test ends it otherwise. */
async function until(send: () => PromiseLike<Response>, status: number): Promise<Response> {
  for (;;) {
    const response = await send();
    if (response.status === status) return response;
  }
}
