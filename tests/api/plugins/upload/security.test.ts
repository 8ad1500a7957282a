import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { useService } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import { leftovers, picture, send, sendRaw, storedIn, tokenFor, upload } from './media.js';

const client = useService({
  plugins: { upload: { config: { sizeLimit: 200_000, requestLimit: 500_000, filesLimit: 5 } } },
});
const { get } = client;
const script = '<script>alert(1)</script>';

describe('S57', () => {
  test.each([
    ['an SVG', 'a.svg', 'image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`, undefined],
    ['a page', 'a.html', 'text/html', script, 'attachment'],
    [
      'XML',
      'a.xml',
      'text/xml',
      `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`,
      'attachment',
    ],
    [
      'a PDF',
      'a.pdf',
      'application/pdf',
      '%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj',
      'attachment',
    ],
  ])(
    '%s with a script is served so that it does not run on this origin',
    async (_what, name, type, content, disposition) => {
      const [{ url }] = await upload(client.service, { content, name, type });
      const { headers } = await get(url);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toMatch(/(?:^|; )sandbox$/);
      expect(headers['content-disposition']).toBe(disposition);
    },
  );
});

describe('S58', () => {
  const page = { content: `<!DOCTYPE html>${script}`, name: 'a.png', type: 'image/png' };

  test('an HTML file named as an image is recorded as HTML and served as an image', async () => {
    const [{ mime, url, width }] = await upload(client.service, page);
    expect([mime, width]).toEqual(['text/html', null]);
    const { headers } = await get(url);
    expect([headers['content-type'], headers['x-content-type-options']]).toEqual(['image/png', 'nosniff']);
  });

  test('an archive named as an image is recorded as an archive', async () => {
    const zip = Buffer.from('504b0506000000000000000000000000000000000000', 'hex');
    const [{ mime }] = await upload(client.service, { content: zip, name: 'a.png', type: 'image/png' });
    expect(mime).toBe('application/zip');
  });

  describe('a type that is not allowed', () => {
    const strict = useService({
      plugins: { upload: { config: { allowedTypes: ['image/*'], deniedTypes: ['image/gif'] } } },
    });

    test.each([
      ['by its content', page],
      ['by its claim', { content: 'GIF89a', name: 'a.gif', type: 'image/gif' }],
      ['as its content proves nothing', { content: 'text', name: 'a.png', type: 'image/png' }],
      [
        'though it claims to be plain text',
        { content: Buffer.from('25504446', 'hex'), name: 'a.txt', type: 'text/plain' },
      ],
    ])('is refused %s by every upload route', async (_why, part) => {
      const [{ id }] = await upload(strict.service, { content: await picture(9, 9), name: 'good.png' });
      const author = await strict.create('authors', { name: 'Ann' });
      const before = await storedIn(strict.service);
      const answers = [
        await send(strict.service, 'post', '/api/upload', [part]),
        await send(strict.service, 'post', `/api/upload?id=${id}`, [part]),
        await send(strict.service, 'put', `/api/authors/${author}`, [{ ...part, field: 'files.avatar' }], { data: {} }),
      ];
      for (const { status, body } of answers) {
        expect([status, body.error.name]).toEqual([400, 'ApplicationError']);
        expect(body.error.message).toMatch(/^Files of the type \S+ are not allowed; allowed: image\/\*$/);
      }
      expect(await storedIn(strict.service)).toEqual(before);
    });
  });
});

describe('S59', () => {
  test.each([
    ['..\\..\\x.txt', 'x.txt'],
    ['.htaccess', '.htaccess'],
    ['a\u202Egnp.exe', 'agnp.exe'],
    ['🦊 fox.txt', '🦊 fox.txt'],
  ])('%j is stored under a generated name', async (name, storedName) => {
    const [file] = await upload(client.service, { content: 'x', name, type: 'text/plain' });
    expect(file.name).toBe(storedName);
    expect(file.url).toMatch(/^\/uploads\/[A-Za-z0-9_]+_[0-9a-f]{10}\.[a-z]+$/);
    expect((await get(file.url)).text).toBe('x');
  });

  test.each(['a\0.txt', 'a\u0001.txt', `${'x'.repeat(300)}.txt`, 'a:b?.txt', 'con'])('%j is refused', async (name) => {
    const parts = [{ content: 'x', name: 'a.txt' }];
    const { status, body } = await send(client.service, 'post', '/api/upload', parts, { fileInfo: { name } });
    expect([status, body.error.message]).toEqual([400, 'File name contains invalid characters']);
  });

  test.each(['../../../etc/x.txt', '/x.txt', 'folder/x.txt'])('the path %j is refused', async (name) => {
    const before = await storedIn(client.service);
    // As written: other clients send its last part.
    const body = new FormData();
    body.append('files', new Blob(['x']), name);
    const headers = { Authorization: `Bearer ${client.service.token}` };
    const answer = await fetch(`${client.service.url}/api/upload`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({
      error: { status: 400, message: 'File name contains invalid characters' },
    });
    expect(await storedIn(client.service)).toEqual(before);
  });

  test.each([
    '/uploads/..%2f..%2fpackage.json',
    '/uploads/%2e%2e/secrets.json',
    '/uploads/../secrets.json',
    '/uploads//etc/passwd',
    '/uploads/..%5csecrets.json',
    '/uploads/.',
    '/uploads/',
    '/uploads/%00',
    '/uploads/%ff',
  ])('GET %s reads nothing', async (path) => {
    // As written: clients like fetch would clean the path.
    const raw = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(client.service.url, raw, () => undefined)).toMatch(/^HTTP\/1\.1 40[034] /);
  });
});

const head = (headers: Readonly<Record<string, string | number>>, path = '/api/upload'): string => {
  const all = { Host: 'localhost', Authorization: `Bearer ${client.service.token}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
};
const form = { 'Content-Type': 'multipart/form-data; boundary=b' };
const partHead =
  '--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';
const field = (name: string): string => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`;
const clean = async (): Promise<boolean> => (await leftovers(client.service.dataFolder)).length === 0;

describe('S60', () => {
  test('a body that is declared too large is refused before it is sent', async () => {
    const request = head({ ...form, 'Content-Length': 2 ** 40 });
    expect(await sendRaw(client.service.url, request, () => undefined)).toMatch(/^HTTP\/1\.1 413 /);
    expect(await clean()).toBe(true);
  });

  test('a file that exceeds the limit is refused before it is complete', async () => {
    const chunk = `${(2 ** 16).toString(16)}\r\n${'x'.repeat(2 ** 16)}\r\n`;
    const begin = `${partHead.length.toString(16)}\r\n${partHead}\r\n`;
    const answer = sendRaw(client.service.url, head({ ...form, 'Transfer-Encoding': 'chunked' }) + begin, (socket) => {
      // Never ends by itself.
      const more = (): void => {
        if (!socket.destroyed) socket.write(chunk, () => setImmediate(more));
      };
      more();
    });
    expect(await answer).toMatch(/^HTTP\/1\.1 413 [^]*"a\.txt exceeds size limit of 200 KB\."/);
    await until(clean);
  });

  test('files that exceed the limit together are refused', async () => {
    const parts = [1, 2, 3, 4, 5].map((n) => ({ content: 'x'.repeat(190_000), name: `${n}.txt` }));
    const sending = send(client.service, 'post', '/api/upload', [...parts, ...parts]);
    const answer = await sending.catch(() => ({ status: 'connection closed' }));
    expect([400, 413, 'connection closed']).toContain(answer.status);
    await until(clean);
  });

  test('a slow upload is aborted and leaves no files', async () => {
    const impatient = createServer({ requestTimeout: 300, connectionsCheckingInterval: 50 }, client.service.handler);
    await once(impatient.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = impatient.address() as AddressInfo;
      const request = `${head({ ...form, 'Content-Length': 100_000 })}${partHead}x`;
      expect(await sendRaw(`http://127.0.0.1:${port}`, request, () => undefined)).toMatch(/^HTTP\/1\.1 40[08] /);
      await until(clean);
    } finally {
      impatient.close();
    }
  });

  test('an upload aborted by its client leaves no files', async () => {
    const before = await storedIn(client.service);
    await sendRaw(client.service.url, `${head({ ...form, 'Content-Length': 100_000 })}${partHead}begin`, (socket) => {
      void until(async () => !(await clean())).then(() => socket.destroy());
    });
    await until(clean);
    expect(await storedIn(client.service)).toEqual(before);
  });
});

const post = async (body: string, type: string) => {
  const raw = head({ 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), Connection: 'close' }) + body;
  return Number((await sendRaw(client.service.url, raw, () => undefined)).split(' ')[1]);
};

describe('S61', () => {
  const end = '\r\n--b--\r\n';

  const { 'Content-Type': normal } = form;
  test.each([
    ['without a boundary', 'multipart/form-data', `${partHead}x${end}`],
    ['of another kind', 'multipart/mixed; boundary=b', `${partHead}x${end}`],
    ['with an empty field name', normal, `${partHead.replace('"files"', '""')}x${end}`],
    ['without a field name', normal, `${partHead.replace('name="files"; ', '')}x${end}`],
    ['that ends in the middle of a file', normal, `${partHead}x`],
    ['that ends in the middle of a head', normal, partHead.slice(0, 50)],
    ['of nothing', normal, ''],
    ['of 10,000 fields', normal, `${field('a').repeat(10_000)}--b--\r\n`],
    ['of 6 files', normal, `${`${partHead}x\r\n`.repeat(6)}--b--\r\n`],
    ['with a field name of 100 kB', normal, `${partHead.replace('files', 'x'.repeat(100_000))}x${end}`],
    [
      'with a field of an unknown charset',
      normal,
      `${field('a').replace('\r\n\r\n', '\r\nContent-Type: text/plain; charset=nope\r\n\r\n')}--b--\r\n`,
    ],
    ['with a deep field name', normal, `${field('a[b]'.repeat(50))}--b--\r\n`],
  ])('a form %s is refused', async (_how, type, body) => {
    expect(await post(body, type)).toBe(400);
    expect((await get('/api/upload/files?limit=1')).status).toBe(200);
    await until(clean);
  });
});

describe('texts of a form that are together larger than 1 MiB are refused', () => {
  const texts = (bytes: number): string => field('a').replace('\r\n\r\n', `\r\n\r\n${'x'.repeat(bytes)}`);

  test.each([
    ['one', texts(2 ** 20)],
    ['several', texts(2 ** 18).repeat(4)],
    ['several around a file', `${texts(2 ** 19)}${partHead}${'x'.repeat(150_000)}\r\n${texts(2 ** 19)}`],
  ])('%s', async (_what, parts) => {
    expect(await post(`${parts}--b--\r\n`, form['Content-Type'])).toBe(413);
    await until(clean);
  });

  test('but not smaller ones beside a file', async () => {
    const body = `${texts(2 ** 19)}${partHead}${'x'.repeat(190_000)}\r\n${texts(2 ** 19 - 1000)}--b--\r\n`;
    expect(await post(body, form['Content-Type'])).toBe(200);
  });
});

test('S62: field names that would create a sparse list do not crash the process', async () => {
  const fields = {
    'a[4294967294]': 'x',
    'a[]': 'y',
    '__proto__[polluted]': 'z',
    'constructor[prototype][polluted]': 'z',
  };
  const { status } = await send(client.service, 'post', '/api/upload', [{ content: 'x', name: 'a.txt' }], fields);
  expect([200, 400]).toContain(status);
  expect({}).not.toHaveProperty('polluted');
  expect((await get('/api/upload/files?limit=1')).status).toBe(200);
});

describe('S63', () => {
  /** Bytes. Decoded, these images take gigabytes; anything else that the process does in the meantime takes less. */
  const DECODED = 2 ** 30;

  test.each([
    ['a PNG of 50,000 × 50,000 pixels', declaring(50_000, 50_000), 'a.png', /more than 25000000 pixels/],
    [
      'an SVG of 50,000 × 50,000 pixels',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="50000" height="50000"/>'),
      'a.svg',
      /pixels/,
    ],
    ['a PNG that has not the rows that it declares', declaring(5000, 5000), 'a.png', /not a valid image/],
  ])('%s is refused without being decoded', async (_what, content, name, message) => {
    const before = process.memoryUsage.rss();
    const { status, body } = await send(client.service, 'post', '/api/upload', [{ content, name }]);
    expect([status, body.error.name]).toEqual([400, 'ApplicationError']);
    expect(body.error.message).toMatch(message);
    expect(process.memoryUsage.rss() - before).toBeLessThan(DECODED);
    await until(clean);
  });

  test('a GIF of 10,000 frames is stored with a thumbnail of the first', async () => {
    const header = Buffer.from('474946383961f401f401800000ff00000000ff', 'hex');
    const frame = Buffer.from('2c00000000010001000002024401003b'.slice(0, -2), 'hex');
    const content = Buffer.concat([header, ...Array.from({ length: 10_000 }, () => frame), Buffer.from([0x3b])]);
    const before = process.memoryUsage.rss();
    const { status } = await send(client.service, 'post', '/api/upload', [{ content, name: 'a.gif' }]);
    expect([200, 400]).toContain(status);
    expect(process.memoryUsage.rss() - before).toBeLessThan(DECODED);
  });
});

describe('S64', () => {
  test.each([
    ['the public', ''],
    ['a token that may only read', 'plugin::upload.content-api.find'],
  ])('%s cannot change or delete files', async (_who, permission) => {
    const [file] = await upload(client.service, { content: 'original', name: 'a.txt' });
    const token = permission === '' ? '' : await tokenFor(client.service, permission);
    const as = (sending: request.Test) => (token === '' ? sending : sending.auth(token, { type: 'bearer' }));
    const agent = request(client.service.url);
    const answers = [
      await as(agent.post(`/api/upload?id=${file.id}`)).send({ fileInfo: { name: 'mine' } }),
      await as(agent.post(`/api/upload?id=${file.id}`)).attach('files', Buffer.from('mine'), 'b.txt'),
      await as(agent.delete(`/api/upload/files/${file.id}`)),
      await as(agent.delete('/api/upload/files/99999')),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await get(`/api/upload/files/${file.id}`)).body).toEqual(file);
    expect((await get(file.url)).text).toBe('original');
  });

  test('a caller without permission to write an entry stores no file for it', async () => {
    const token = await tokenFor(client.service, 'plugin::upload.content-api.upload');
    const before = await storedIn(client.service);
    const part = { content: 'x', name: 'a.txt', field: 'files.avatar' };
    const { status } = await send({ ...client.service, token }, 'post', '/api/authors', [part], {
      data: { name: 'x' },
    });
    expect(status).toBe(403);
    expect(await storedIn(client.service)).toEqual(before);
  });
});

/** A PNG that declares a size and has a few rows of it. */
function declaring(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const data = deflateSync(Buffer.alloc(1_000_000));
  const parts = [chunkOf('IHDR', header), chunkOf('IDAT', data), chunkOf('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(checksum(body));
  return Buffer.concat([size, body, sum]);
}

/** Of PNG's chunks. https://www.w3.org/TR/png-3/#D-CRCAppendix */
function checksum(bytes: Buffer): number {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
