import { mkdtempSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { hashSync } from 'bcrypt';
import { expect, test } from '@jest/globals';
import { importSource } from '../../../../src/cli/commands/import/import-source.js';
import type { Source } from '../../../../src/cli/commands/import/source.js';
import { openLiveStrapiV3, openStrapiV3 } from '../../../../src/cli/commands/import/strapi-v3/open-strapi-v3.js';
import { connectToUri } from '../../../../src/mongo/connection/connect.js';
import { openLocalStore } from '../../../../src/plugins/upload/storage/open-store.js';
import { useService } from '../../../support/service.js';
import { collections, makeV3 } from './make-v3-dump.js';

const password = hashSync('their old password', 4);
const { dump, project, types } = makeV3(password);
const client = useService({ contentTypes: types });
const { get } = client;

async function run(source: Source) {
  const counts = { stored: 0, existing: 0 };
  const { skipped: untaken } = await importSource(source, {
    registry: client.service.registry,
    database: client.service.database,
    uploads: { store: openLocalStore(client.service.dataFolder), provider: 'local' },
    acceptDifferences: false,
    removeOthers: false,
    reporter: { stored: () => (counts.stored += 1), existing: () => (counts.existing += 1), read: () => undefined },
    print: () => undefined,
    stopping: new AbortController().signal,
  });
  return { ...counts, lines: untaken.lines() };
}

const openDump = async (folder = dump): Promise<Source> => {
  const source = await openStrapiV3(folder, project);
  if (source === undefined) throw new Error('It is not recognised');
  return source;
};

/** The dump as `mongodump --gzip` writes it. */
function zipDump(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'strapi-v3-zipped-'));
  for (const name of readdirSync(dump)) {
    writeFileSync(path.join(folder, `${name}.gz`), gzipSync(readFileSync(path.join(dump, name))));
  }
  return folder;
}

test('import reads a dump of Strapi v3 with relations, components, zones, media, drafts, users and permissions', async () => {
  expect(await run(await openDump())).toEqual({ stored: 11, existing: 0, lines: [] });
  const populate = 'populate[tags]=1&populate[author]=1&populate[cover]=1&populate[seo]=1&populate[blocks][populate]=*';
  const { body } = await get(`/api/articles?${populate}`);
  expect(body.data).toMatchObject([
    {
      attributes: {
        title: 'First',
        views: '12',
        createdAt: '2021-05-01T10:00:00.000Z',
        author: { data: { attributes: { name: 'Ada' } } },
        tags: { data: [{ attributes: { name: 'Beta' } }, { attributes: { name: 'Alpha' } }] },
        cover: { data: { attributes: { url: '/uploads/red_1.png' } } },
        seo: { metaTitle: 'Of the article' },
        blocks: [
          { __component: 'shared.quote', text: 'To be', source: { data: { attributes: { name: 'Ada' } } } },
          { __component: 'shared.seo', metaTitle: 'Of a block' },
        ],
      },
    },
  ]);
  expect((await get('/api/articles?publicationState=preview')).body.data).toHaveLength(2);

  const credentials = JSON.stringify({ identifier: 'ida', password: 'their old password' });
  const headers = { 'content-type': 'application/json' };
  const logged = await fetch(`${client.service.url}/api/auth/local`, { method: 'POST', headers, body: credentials });
  const { jwt } = (await logged.json()) as { jwt: string };
  const authorization = { authorization: `Bearer ${jwt}` };
  const tag = (await get('/api/tags')).body.data[0].id as number;
  expect((await fetch(`${client.service.url}/api/tags/${tag}`, { headers: authorization })).status).toBe(200);
  const refused = await fetch(`${client.service.url}/api/tags/${tag}`, { method: 'DELETE', headers: authorization });
  expect(refused.status).toBe(403);
});

test('a second import of a Strapi v3 dump changes nothing, because its ids keep their numbers', async () => {
  expect(await run(await openDump())).toMatchObject({ stored: 0, existing: 11 });
});

test('import reads a gzipped dump of Strapi v3', async () => {
  const zipped = zipDump();
  expect(await run(await openDump(zipped))).toMatchObject({ stored: 0, existing: 11 });
  truncateSync(path.join(zipped, 'articles.bson.gz'), 100);
  await expect(run(await openDump(zipped))).rejects.toThrow('articles.bson.gz is damaged: unexpected end of file');
});

test('import reads the MongoDB of Strapi v3, with the same ids as from a dump', async () => {
  const uri = new URL(process.env['TEST_MONGODB_URI'] ?? '');
  uri.pathname = `/test_v3_${process.pid}`;
  const from = await connectToUri(uri.href);
  try {
    for (const [name, documents] of Object.entries(collections(password))) {
      await from
        .db()
        .collection(name)
        .insertMany([...documents]);
    }
    expect(await run(await openLiveStrapiV3(uri.href, project))).toMatchObject({ stored: 0, existing: 11 });
  } finally {
    await from.db().dropDatabase();
    await from.close();
  }
});

test('import refuses a Strapi v3 dump without models, and a folder without BSON files', async () => {
  await expect(openStrapiV3(dump, undefined)).rejects.toThrow('--models');
  expect(await openStrapiV3(project, project)).toBeUndefined();
});
