import { EventEmitter, once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from '../../../support/fast-check.js';
import type { Locks } from '../../../../src/mongo/coordination/locks.js';
import { StartError } from '../../../../src/errors/start-error.js';
import { extensionOf, makeHash, parseFileName } from '../../../../src/plugins/upload/storage/file-names.js';
import { isStoredName } from '../../../../src/mongo/files/file-store.js';
import { checkType, decideType, sniffMarkup } from '../../../../src/plugins/upload/images/sniff.js';
import { parseSettings } from '../../../../src/plugins/upload/settings.js';
import { readRelatedField } from '../../../../src/plugins/upload/media/related-field.js';
import { createDistributedLock } from '../../../../src/plugins/contract/distributed-lock.js';
import { createKeyedMutex } from '../../../../src/plugins/contract/distributed-lock.js';

describe('names', () => {
  test('of stored files are safe for any client file name', async () => {
    const anyName = fc.string({ unit: 'binary', maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(anyName, fc.string({ maxLength: 50 }), async (name, type) => {
        const ext = extensionOf(name, type);
        expect(isStoredName(`thumbnail_${await makeHash(name, ext)}${ext}`)).toBe(true);
      }),
    );
  });

  test.each([
    ['My picture (1) & co.png', /^My_picture_1_and_co_[0-9a-f]{10}$/],
    ['naïve été.png', /^naive_ete_[0-9a-f]{10}$/],
    ['Łódź.png', /^Lodz_[0-9a-f]{10}$/],
    ['Привет мир.png', /^Privet_mir_[0-9a-f]{10}$/],
    ['Grüße.png', /^Gruesse_[0-9a-f]{10}$/],
    ['HeadCook.png', /^Head_Cook_[0-9a-f]{10}$/],
    ['日本.png', /^file_[0-9a-f]{10}$/],
  ])('of %s stay readable', async (name, hash) => {
    expect(await makeHash(name, '.png')).toMatch(hash);
  });

  test.each([
    ['SHOUT.PNG', 'image/png', '.PNG'],
    ['README', 'text/plain', '.txt'],
    ['README', 'application/x-strange', ''],
    ['a.tar.gz', 'text/plain', '.gz'],
    ['a.p/n g', 'image/png', '.png'],
  ])('of %s as %s end with %j', (name, type, ext) => {
    expect(extensionOf(name, type)).toBe(ext);
  });

  test('are normalised', () => {
    expect(parseFileName('e\u0301.txt')).toBe('\u00e9.txt');
  });
});

test.each([
  ['<svg xmlns="…">', 'image/svg+xml'],
  ['\ufeff <?xml version="1.0"?>\n<!-- a --><!DOCTYPE svg PUBLIC "…"><svg>', 'image/svg+xml'],
  ['<svg:svg>', 'image/svg+xml'],
  ['<!doctype HTML>', 'text/html'],
  ['<!-- <svg> --><SCRIPT>', 'text/html'],
  ['<?xml version="1.0"?><html>', 'text/html'],
  ['<?xml version="1.0"?><rss>', 'application/xml'],
  ['<!-- never ends', undefined],
  ['a < b', undefined],
  ['', undefined],
])('%j is detected as %s', (text, type) => {
  expect(sniffMarkup(text)).toBe(type);
});

test.each([
  ['image/png', undefined, 'image/png'],
  ['text/plain', 'image/png', 'text/plain'],
  ['image/png', 'image/jpeg', 'image/jpeg'],
  ['image/png', 'text/html', 'text/html'],
  ['text/markdown', 'text/html', 'text/markdown'],
  ['application/octet-stream', 'image/png', 'image/png'],
  ['application/vnd.oasis.opendocument.text', 'application/zip', 'application/vnd.oasis.opendocument.text'],
  ['video/mp4', 'application/zip', 'application/zip'],
  ['audio/x-wav', 'audio/wav', 'audio/x-wav'],
])('a file declared as %s with the content of %s is recorded as %s', (claimed, detected, type) => {
  expect(decideType(claimed, detected)).toBe(type);
});

test.each([
  ['image/gif', 'image/png'],
  ['image/png', 'image/gif'],
  ['image/gif', undefined],
])('where image/gif is denied, a file declared as %s with the content of %s is refused', (claimed, detected) => {
  const check = (deniedTypes: readonly string[]) => checkType(claimed, detected, { allowedTypes: [], deniedTypes });
  expect(() => check(['image/gif'])).toThrow('are not allowed');
  expect(() => check(['text/*'])).not.toThrow();
});

describe('settings', () => {
  test('have defaults', () => {
    expect(parseSettings({ sizeLimit: 5 })).toMatchObject({
      sizeLimit: 5,
      filesLimit: 50,
      breakpoints: { large: 1000 },
    });
  });

  test('that are invalid are all reported', () => {
    const wrong = { sizeLimit: '5mb', allowedTypes: ['image'], breakpoints: { 'a/b': 1 }, autoOrientation: 1, nope: 1 };
    expect(() => parseSettings(wrong)).toThrow(StartError);
    for (const name of Object.keys(wrong)) expect(() => parseSettings(wrong)).toThrow(`Plugin upload: config.${name}`);
  });

  test('can choose a provider with the options of Strapi v4', () => {
    const s3Options = { region: 'eu-north-1', accessKeyId: 'a', secretAccessKey: 'b', params: { Bucket: 'media' } };
    const provider = '@strapi/provider-upload-aws-s3';
    expect(parseSettings({}).provider).toEqual({ kind: 'local' });
    expect(parseSettings({ provider: 'gridfs' }).provider).toEqual({ kind: 'gridfs' });
    expect(parseSettings({ provider, providerOptions: { rootPath: '/a/b/', s3Options } }).provider).toEqual({
      kind: 'aws-s3',
      s3: {
        bucket: 'media',
        prefix: 'a/b/',
        client: { region: 'eu-north-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } },
        put: {},
        remove: {},
      },
    });
  });

  test('can have S3 options at the top level, baseUrl, and an endpoint without a protocol', () => {
    const params = { Bucket: 'media', ACL: 'public-read', signedUrlExpires: 900 };
    const keys = { accessKeyId: 'a', secretAccessKey: 'b', signatureVersion: 'v4' };
    const top = { ...keys, region: 'fra1', endpoint: 'fra1.example.com', s3ForcePathStyle: true, params };
    const providerOptions = { ...top, rootPath: 'a', baseUrl: 'https://cdn.example.org/' };
    expect(parseSettings({ provider: 'aws-s3', providerOptions }).provider).toEqual({
      kind: 'aws-s3',
      s3: {
        bucket: 'media',
        prefix: 'a/',
        address: 'https://cdn.example.org/a/',
        client: {
          region: 'fra1',
          endpoint: 'https://fra1.example.com',
          forcePathStyle: true,
          credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
        },
        put: { ACL: 'public-read' },
        remove: {},
      },
    });
  });

  test('prefer the package of a provider to a built-in one, except for local files', () => {
    const find = (_: string, name: string) => (name === 'gone' ? undefined : `/modules/${name}`);
    const kept = { options: { bucket: 1 }, actions: {} };
    const config = (provider: string) => ({ provider, providerOptions: kept.options });
    for (const name of ['aws-s3', 'cloudinary']) {
      const file = `/modules/${name}`;
      expect(parseSettings(config(name), find).provider).toEqual({ kind: 'package', name, file, ...kept });
    }
    expect(parseSettings(config('gone'), find).provider).toEqual({
      kind: 'package',
      name: 'gone',
      file: undefined,
      ...kept,
    });
    expect(parseSettings(config('local'), find).provider).toEqual({ kind: 'local' });
  });

  test('can add parameters to S3 requests with the names of Strapi v4', () => {
    const providerOptions = { s3Options: { params: { Bucket: 'media' } } };
    const actionOptions = { upload: { ACL: 'private' }, uploadStream: { StorageClass: 'GLACIER' }, delete: {} };
    expect(parseSettings({ provider: 'aws-s3', providerOptions, actionOptions }).provider).toMatchObject({
      s3: { put: { ACL: 'private', StorageClass: 'GLACIER' }, remove: {} },
    });
    expect(parseSettings({ actionOptions: { upload: {}, delete: {} } }).provider).toEqual({ kind: 'local' });
  });

  test.each([
    [{ provider: 1 }, 'provider 1 must be a string'],
    [{ provider: 'aws-s3' }, 'providerOptions.s3Options.params.Bucket must name a bucket'],
    [
      { actionOptions: { upload: { folder: 'x' } } },
      'actionOptions.upload has parameters, which the providers local and gridfs do not accept',
    ],
    [{ actionOptions: { list: {} } }, 'actionOptions.list is unknown; allowed: upload, uploadStream, delete'],
    [{ actionOptions: { upload: 1 } }, 'actionOptions.upload must be an object'],
    [{ provider: 'aws-s3', providerOptions: 'x' }, 'providerOptions must be an object'],
    [{ provider: 'aws-s3', providerOptions: { baseUrl: 'x' } }, 'providerOptions.baseUrl must be a URL'],
    [
      { provider: 'aws-s3', providerOptions: { sizeLimit: 1, params: { Bucket: 'media' } } },
      'providerOptions.sizeLimit is unknown; allowed: baseUrl, rootPath, s3Options',
    ],
    [{ provider: 'aws-s3', providerOptions: { rootPath: 1 } }, 'providerOptions.rootPath must be a string'],
  ])('%j are refused', (config, message) => {
    expect(() => parseSettings(config)).toThrow(StartError);
    expect(() => parseSettings(config)).toThrow(`Plugin upload: config.${message}`);
  });

  test('of a Strapi project have no effect where the store does not know them', () => {
    const lines: string[] = [];
    const providerOptions = { sizeLimit: 1, params: { Bucket: 'media' } };
    const config = { provider: 'aws-s3', providerOptions, actionOptions: { uploadVideo: {} } };
    const settings = parseSettings(config, undefined, (line) => lines.push(line));
    expect(settings.provider).toMatchObject({ s3: { bucket: 'media' } });
    expect(lines).toEqual([
      'Plugin upload: config.actionOptions.uploadVideo is unknown; allowed: upload, uploadStream, delete',
      'Plugin upload: config.providerOptions.sizeLimit is unknown; allowed: baseUrl, rootPath, s3Options',
    ]);
  });
});

test.each([
  [undefined, undefined, undefined],
  ['*', '*', {}],
  ['related', undefined, {}],
  ['related.author, folder', 'folder', { populate: ['author'] }],
  [['a', 'related'], ['a'], {}],
  [{ related: { populate: '*' }, a: true }, { a: true }, { populate: '*' }],
  [{ related: 'false' }, {}, undefined],
])('populate=%j is reduced to %j', (populate, rest, related) => {
  const taken = readRelatedField({ sort: 'id', ...(populate !== undefined && { populate }) });
  expect(taken).toEqual({ rest: { sort: 'id', ...(rest !== undefined && { populate: rest }) }, related });
});

/** Work waits for `opened` until `open` is called. */
function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  const events = new EventEmitter();
  const opened = once(events, 'open').then(() => undefined);
  return { open: () => void events.emit('open'), opened };
}

describe('mutexes', () => {
  type DistributedLock = (key: string, work: () => Promise<void>) => Promise<void>;
  /** The order of the work: for `a` twice, slowly the first time, and for `b` once. */
  async function orderOf(one: DistributedLock, another: DistributedLock): Promise<readonly string[]> {
    const order: string[] = [];
    const first = gate();
    const runs = [
      one('a', async () => {
        await first.opened;
        order.push('a1');
      }),
      another('a', async () => void order.push('a2')),
      another('b', async () => void order.push('b1')),
    ];
    await runs[2];
    first.open();
    await Promise.all(runs);
    return order;
  }

  test('run tasks of one key one after the other', async () => {
    const inTurn = createKeyedMutex();
    expect(await orderOf(inTurn, inTurn)).toEqual(['b1', 'a1', 'a2']);
  });

  test('run tasks of one key one after the other across processes', async () => {
    // All of them share the database, see `holdLock`.
    const names: string[] = [];
    const held = createKeyedMutex();
    const locks: Pick<Locks, 'hold'> = {
      hold: (key, work) => {
        names.push(key);
        return held(key, work);
      },
    };
    const inTurn = createDistributedLock('upload', locks);
    expect(await orderOf(inTurn, createDistributedLock('upload', locks))).toEqual(['b1', 'a1', 'a2']);
    expect(names.toSorted()).toEqual(['upload a', 'upload a', 'upload b']);
    const failing = inTurn('a', () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
  });
});

test('slow packages are loaded with the first upload', () => {
  const folder = 'src/plugins/upload';
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
  const eager = texts.flatMap((text) => text.match(/^import (?!type).*'(?:sharp|multer|file-type\S*)'/gm) ?? []);
  expect(eager).toEqual([]);
  expect(texts.join('')).toMatch(/await import\('sharp'\)/);
});
