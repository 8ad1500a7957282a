import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { picture } from '../plugins/upload/media.js';
import { startS3 } from '../plugins/upload/stores.js';
import { useProjects, type Answered, type RunningProject } from './project-folder.js';

const allowed = ['upload', 'find', 'findOne', 'destroy'].map((action) => `plugin::upload.content-api.${action}`);
const base = {
  'src/api/.gitkeep': '',
  'src/index.js': 'module.exports = {};',
  'package.json': '{ "name": "project" }',
  'access.json': JSON.stringify({ roles: { public: { permissions: allowed } } }),
};

/** A provider of the project that writes its arguments to a file. */
const noting = (more = ''): string => `
  const fs = require('node:fs');
  const path = require('node:path');
  const { errors } = require('@strapi/utils');
  const note = (what) => fs.appendFileSync(path.join(__dirname, 'notes'), JSON.stringify(what) + '\\n');
  module.exports = {
    init(options) {
      note({ init: options });
      options.seen = true;
      return {
        async uploadStream(file, actionOptions) {
          const chunks = [];
          for await (const chunk of file.stream) chunks.push(chunk);
          const { folderPath } = file;
          note({ upload: file.hash, folderPath, actionOptions, bytes: Buffer.concat(chunks).length, mime: file.mime });
          if (String(chunks[0]).startsWith('refuse')) throw new Error('The disk is full');
          file.url = 'https://cdn.example.org/' + file.hash + file.ext;
          file.provider_metadata = { public_id: file.hash };
        },
        async delete(file, actionOptions) { note({ delete: file.provider_metadata.public_id, url: file.url, actionOptions }); },
        ${more}
      };
    },
  };`;

const notesOf = ({ folder }: RunningProject): readonly unknown[] =>
  readFileSync(path.join(folder, 'providers/noting/notes'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

const settings = (config: string): string => `module.exports = ({ env }) => ({ upload: { config: { ${config} } } });`;

const run = useProjects(base);

test('an upload action that strapi-server wraps receives the form, and can change it', async () => {
  const project = await run({
    'src/extensions/upload/strapi-server.js': `module.exports = (plugin) => {
      const { upload } = plugin.controllers['content-api'];
      plugin.controllers['content-api'].upload = async (ctx) => {
        ctx.request.files.files.name = 'renamed-' + ctx.request.files.files.name;
        ctx.request.body.fileInfo = JSON.stringify({ caption: 'of ' + ctx.request.body.author });
        await upload(ctx);
      };
      return plugin;
    };`,
  });
  const form = new FormData();
  form.set('files', new Blob(['abc']), 'a.txt');
  form.set('author', 'Ada');
  const response = await fetch(`${project.url}/api/upload`, { method: 'POST', body: form });
  expect([response.status, await response.json()]).toMatchObject([
    200,
    [{ name: 'renamed-a.txt', caption: 'of Ada', size: 0 }],
  ]);
});

async function upload({ url }: RunningProject, content: Buffer | string, name: string, query = ''): Promise<Answered> {
  const form = new FormData();
  form.append('files', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name);
  const response = await fetch(`${url}/api/upload${query}`, { method: 'POST', body: form });
  return { status: response.status, body: await response.json() };
}

test('a provider of the project stores a file and its sizes, replaces and removes them', async () => {
  const project = await run({
    'providers/noting/index.js': noting(),
    'config/plugins.js': settings(
      `provider: './providers/noting', providerOptions: { key: env('KEY', 'k') },
       actionOptions: { uploadStream: { folder: 'x' }, delete: { wait: 1 } }`,
    ),
  });
  const { status, body } = await upload(project, await picture(300, 200), 'red.png');
  expect(status).toBe(200);
  const [{ id, hash, url, formats, ...file }] = body;
  expect(file).toMatchObject({ provider: './providers/noting', provider_metadata: { public_id: hash } });
  expect(url).toBe(`https://cdn.example.org/${hash}.png`);
  const small = `thumbnail_${hash}`;
  expect(formats.thumbnail).toMatchObject({
    url: `https://cdn.example.org/${small}.png`,
    provider_metadata: { public_id: small },
    width: 234,
  });
  const replaced = await upload(project, 'text', 'a.txt', `?id=${id}`);
  expect(replaced.body).toMatchObject({ id, hash, url, formats: {} });
  expect((await project.send('DELETE', `/api/upload/files/${id}`)).status).toBe(200);
  const stored = { actionOptions: { folder: 'x' }, bytes: expect.any(Number), mime: 'image/png' };
  const actionOptions = { wait: 1 };
  expect(notesOf(project)).toEqual([
    { init: { key: 'k' } },
    { upload: hash, folderPath: '/1', ...stored },
    { upload: small, ...stored },
    { delete: hash, url, actionOptions },
    { delete: small, url: formats.thumbnail.url, actionOptions },
    { upload: hash, folderPath: '/1', ...stored, bytes: 4, mime: 'application/octet-stream' },
    { delete: hash, url, actionOptions },
  ]);
});

test('a file refused by the provider is not recorded, and its stored sizes are removed', async () => {
  const project = await run({
    'providers/noting/index.js': noting(
      `checkFileSize(file, { sizeLimit }) {
        if (file.size * 1000 > sizeLimit / 2) throw new errors.PayloadTooLargeError(file.name);
      },`,
    ),
    'config/plugins.js': settings(`provider: './providers/noting', sizeLimit: 1000`),
  });
  expect(await upload(project, 'x'.repeat(1001), 'long.txt')).toMatchObject({ status: 413 });
  expect(await upload(project, 'x'.repeat(600), 'long.txt')).toMatchObject({
    status: 413,
    body: { error: { message: 'long.txt' } },
  });
  const form = new FormData();
  for (const text of ['one', 'refused']) form.append('files', new Blob([text]), `${text}.txt`);
  const response = await fetch(`${project.url}/api/upload`, { method: 'POST', body: form });
  expect(await response.json()).toEqual({
    data: null,
    error: { status: 500, name: 'InternalServerError', message: 'Internal Server Error' },
  });
  await project.printed('The disk is full');
  expect((await project.send('GET', '/api/upload/files')).body).toBe('[]');
  const uploaded = {
    upload: expect.any(String),
    folderPath: '/1',
    bytes: expect.any(Number),
    mime: expect.any(String),
  };
  const [, one, two, removed] = notesOf(project) as readonly Readonly<Record<string, unknown>>[];
  expect([one, two]).toEqual([uploaded, uploaded]);
  expect(removed).toMatchObject({ delete: one?.['upload'] });
});

test('the URL of a private file redirects to a signed URL', async () => {
  const project = await run({
    'providers/noting/index.js': noting(
      `isPrivate: () => true,
       async getSignedUrl(file) { return { url: file.url + '?signature=' + file.hash.length }; },`,
    ),
    'config/plugins.js': settings(`provider: './providers/noting'`),
  });
  const { body } = await upload(project, await picture(300, 200), 'red.png');
  const [{ id, hash, url, formats }] = body;
  expect([url, formats.thumbnail.url]).toEqual([`/uploads/${hash}.png`, `/uploads/thumbnail_${hash}.png`]);
  const leadsTo = async (place: string): Promise<readonly unknown[]> => {
    const { status, headers } = await fetch(project.url + place, { redirect: 'manual' });
    return [status, headers.get('location'), headers.get('cache-control')];
  };
  const signed = (name: string): string => `https://cdn.example.org/${name}.png?signature=${name.length}`;
  expect(await leadsTo(url)).toEqual([302, signed(hash), 'no-store']);
  expect(await leadsTo(formats.thumbnail.url)).toEqual([302, signed(`thumbnail_${hash}`), 'no-store']);
  expect((await leadsTo('/uploads/nothing.png'))[0]).toBe(404);
  await project.send('DELETE', `/api/upload/files/${id}`);
  expect(notesOf(project)).toContainEqual({ delete: hash, url: `https://cdn.example.org/${hash}.png` });
});

test('the URL of a private file redirects only callers who may read files, if settings say so', async () => {
  const project = await run({
    'providers/noting/index.js': noting(
      `isPrivate: () => true, async getSignedUrl(file) { return { url: file.url + '?signed' }; },`,
    ),
    'config/plugins.js': settings(`provider: './providers/noting', restrictPrivateFiles: true`),
    '.env': 'READER_KEY=reader-of-private-files-0000000000',
    'access.json': JSON.stringify({
      roles: { public: { permissions: ['plugin::upload.content-api.upload'] } },
      tokens: {
        reader: {
          type: 'custom',
          key: { env: 'READER_KEY' },
          permissions: ['plugin::upload.content-api.findOne'],
        },
      },
    }),
  });
  const [{ hash, url }] = (await upload(project, 'content', 'a.txt')).body;
  const leadsTo = async (headers: Record<string, string>): Promise<readonly unknown[]> => {
    const response = await fetch(project.url + url, { redirect: 'manual', headers });
    return [response.status, response.headers.get('location')];
  };
  expect(await leadsTo({})).toEqual([403, null]);
  expect(await leadsTo({ authorization: 'Bearer nobody' })).toEqual([401, null]);
  const signed = `https://cdn.example.org/${hash}.txt?signed`;
  expect(await leadsTo({ authorization: 'Bearer reader-of-private-files-0000000000' })).toEqual([302, signed]);
});

test('S3 options at the top level, as before Strapi 4.8, and baseUrl are applied', async () => {
  const server = await startS3();
  try {
    const project = await run({
      'config/plugins.js': settings(`provider: 'aws-s3', providerOptions: {
        accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', region: 'us-east-1', endpoint: '${server.endpoint}',
        s3ForcePathStyle: true, params: { Bucket: 'media' }, rootPath: 'magazine', baseUrl: '${server.endpoint}/media/' }`),
    });
    const { body } = await upload(project, 'content', 'a.txt');
    const [{ id, hash, url }] = body;
    expect(url).toBe(`${server.endpoint}/media/magazine/${hash}.txt`);
    expect(await (await fetch(url)).text()).toBe('content');
    await project.send('DELETE', `/api/upload/files/${id}`);
    expect((await fetch(url)).status).toBe(404);
  } finally {
    await server.stop();
  }
});

/** A project whose route runs code with a picture and its description. */
const withCode = (code: string, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  'src/api/own/routes/own.js':
    "module.exports = { routes: [{ method: 'POST', path: '/own', handler: 'own.run', config: { auth: false } }] };",
  'src/api/own/controllers/own.js': `const fs = require('fs'); const os = require('os'); const path = require('path');
    const { Readable } = require('stream'); const crypto = require('crypto');
    module.exports = { async run(ctx) {
      const { files } = ctx.request.files;
      const upload = strapi.plugin('upload');
      const provider = upload.provider;
      const images = upload.service('image-manipulation');
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'project-images-'));
      const file = { name: files.name, hash: 'red_' + crypto.randomBytes(5).toString('hex'), ext: '.png', mime: 'image/png', size: 1,
        filepath: files.path, tmpWorkingDirectory: folder, getStream: () => fs.createReadStream(files.path) };
      ${code}
    } };`,
  ...more,
});

async function runCode({ url }: RunningProject, content: Buffer | string): Promise<Answered['body']> {
  const form = new FormData();
  form.append('files', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), 'red.png');
  return (await fetch(`${url}/api/own`, { method: 'POST', body: form })).json();
}

test('code stores and deletes the bytes of files with the provider of uploads', async () => {
  const project = await run(
    withCode(`
      await provider.checkFileSize(file, { sizeLimit: 2000 });
      const refused = await provider.checkFileSize(file, { sizeLimit: 500 }).catch(({ message }) => message);
      await upload.service('provider').upload(file);
      const { url } = file;
      const served = async () => (await fetch(\`http://127.0.0.1:\${strapi.server.httpServer.address().port}\${url}\`)).status;
      const stored = await served();
      await provider.delete(file);
      ctx.body = { refused, left: Object.keys(file).includes('stream'), isOwn: url === '/uploads/' + file.hash + '.png', stored,
        deleted: await served(), isPrivate: await provider.isPrivate() };`),
  );
  expect(await runCode(project, await picture(30, 20))).toEqual({
    refused: 'red.png exceeds size limit of 500 Bytes.',
    left: false,
    isOwn: true,
    stored: 200,
    deleted: 404,
    isPrivate: false,
  });
});

test('code calls the methods of a provider of the project, and is told that a replaced one is not called', async () => {
  const project = await run(
    withCode(
      `file.stream = file.getStream();
       await provider.uploadStream(file);
       file.url = 'https://other.example.org';
       await provider.delete(file, { wait: 2 });
       ctx.body = { hash: file.hash, upload: typeof provider.upload };`,
      {
        'providers/noting/index.js': noting(),
        'config/plugins.js': settings(
          `provider: './providers/noting', actionOptions: { uploadStream: { folder: 'x' } }`,
        ),
        'src/index.js':
          "module.exports = { bootstrap({ strapi }) { strapi.plugin('upload').provider.checkFileSize = () => {}; } };",
      },
    ),
  );
  const { hash, ...body } = await runCode(project, 'abc');
  expect(body).toEqual({ upload: 'undefined' });
  expect(notesOf(project).slice(1)).toEqual([
    { upload: hash, actionOptions: { folder: 'x' }, bytes: 3, mime: 'image/png' },
    { delete: hash, url: 'https://other.example.org', actionOptions: { wait: 2 } },
  ]);
  await project.printed("src/index.js:1: code replaces checkFileSize of strapi.plugin('upload').provider");
});

test('code asks the service image-manipulation about images, and makes their sizes', async () => {
  const project = await run(
    withCode(`
      const { getStream, ...described } = file;
      const byStream = { ...described, filepath: undefined, getStream };
      const thumbnail = await images.generateThumbnail(file);
      const formats = await images.generateResponsiveFormats(byStream);
      const about = [await images.isImage(file), await images.isResizableImage(byStream), await images.isOptimizableImage(file), await images.isFaultyImage(file)];
      ctx.body = {
        about, size: await images.getDimensions(byStream),
        thumbnail: thumbnail && [thumbnail.name, thumbnail.hash === 'thumbnail_' + file.hash, thumbnail.width, thumbnail.height, fs.existsSync(thumbnail.filepath)],
        formats: formats.map(({ key, file }) => [key, file.width, file.height, file.mime]),
        isSame: (await images.optimize(file)).hash === file.hash,
      };`),
  );
  expect(await runCode(project, await picture(1200, 600))).toEqual({
    about: [true, true, true, false],
    size: { width: 1200, height: 600 },
    thumbnail: ['thumbnail_red.png', true, 245, 123, true],
    formats: [
      ['large', 1000, 500, 'image/png'],
      ['medium', 750, 375, 'image/png'],
      ['small', 500, 250, 'image/png'],
    ],
    isSame: true,
  });
  expect(await runCode(project, 'text')).toMatchObject({
    about: [false, false, false, true],
    size: { width: null, height: null },
    thumbnail: null,
    formats: [],
  });
});
