import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { corpus, useService } from '../../../support/service.js';
import { breachesOf, everything, exportTo, importInto } from './support.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'export-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const plugins = { i18n: { config: { locales: ['en', 'fr'] } } };
const source = useService({ plugins });
let target: TestService;
beforeAll(async () => {
  const mongodbUri = process.env['TEST_MONGODB_URI'] ?? '';
  target = await createTestService({ contentTypes: corpus, mongodbUri, plugins });
});
afterAll(async () => target.close());

const [article, author, tag, card] = ['article', 'author', 'tag', 'seo-card'].map((name) => `api::${name}.${name}`) as [
  string,
  string,
  string,
  string,
];

const done = { writes: 0 };

/** The database, with some writes between reads of it: else all of it would be read between two writes. */
function slowly(database: TestService['database']): TestService['database'] {
  const pause = async (): Promise<void> => {
    const enough = done.writes + 60;
    while (done.writes < enough) await new Promise(setImmediate);
  };
  const db = Object.create(database.db) as typeof database.db;
  db.collection = (name: string) => {
    const collection = database.db.collection(name);
    const find = collection.find.bind(collection) as (...args: unknown[]) => ReturnType<typeof collection.find>;
    collection.find = ((...args: unknown[]) => {
      const cursor = find(...args);
      const hasNext = cursor.hasNext.bind(cursor);
      let paused = name !== 'authors' && name !== 'tags';
      cursor.hasNext = async () => {
        if (!paused) await pause();
        paused = true;
        return hasNext();
      };
      return cursor;
    }) as typeof collection.find;
    return collection as never;
  };
  return { ...database, db };
}

/** Writes to several entries at once, again and again, each of its own and of those that all writers fight for. */
async function storm(name: string, goOn: () => boolean): Promise<void> {
  const { entries } = source.service;
  // Another one may have deleted what a write is about, or taken its place.
  const attempt = async <T>(work: Promise<T>): Promise<T | undefined> => {
    done.writes += 1;
    return work.catch(() => undefined);
  };
  const last = async (uid: string): Promise<number> => (await entries.findFirst(uid, { sort: 'id:desc' }))?.id ?? 0;
  while (goOn()) {
    const writer = await attempt(entries.create(author, { name, email: `${name}@example.org` }));
    const label = await attempt(entries.create(tag, { name: `${name} ${done.writes}` }));
    const version = await last(card);
    const text = { __component: 'blocks.quote', text: 'q', source: writer?.id };
    const values = {
      title: name,
      author: writer?.id,
      tags: [label?.id],
      seoCard: version,
      blocks: [text],
      views: done.writes,
    };
    const one = await attempt(entries.create(article, values));
    const id = one?.id ?? 0;
    await attempt(entries.create(article, { title: name, locale: 'fr', localizations: [id] }));
    await attempt(entries.update(article, id, { views: done.writes, code: `${name} ${done.writes}` }));
    await attempt(entries.update(article, await last(article), { seoCard: version, author: writer?.id }));
    if (writer !== undefined) await attempt(entries.delete(author, writer.id));
    if (label !== undefined) await attempt(entries.delete(tag, label.id));
    if (done.writes % 3 === 0) await attempt(entries.delete(article, id));
  }
}

test('an export during eight concurrent writers has no violations and contains unchanged entries exactly', async () => {
  const { entries } = source.service;
  for (let index = 0; index < 4; index += 1) await entries.create(card, { headline: `Card ${index}` });
  const still = await entries.create(author, { name: 'Nobody writes to her', address: { city: 'Ulm' } });
  for (let index = 0; index < 50; index += 1) {
    await entries.create(article, { title: `Still ${index}`, author: still.id, bignum: '9007199254740993', score: 2 });
  }
  const { articles: before = [], authors: [her] = [] } = await everything(source.service);

  let goesOn = true;
  const writing = Promise.all(Array.from({ length: 8 }, (_, index) => storm(`w${index}`, () => goesOn)));
  const archives = ['first', 'second'].map((name) => path.join(folder, `${name}.tar.gz`));
  const service = { ...source.service, database: slowly(source.service.database) };
  try {
    for (const archive of archives) await exportTo(archive, service);
  } finally {
    goesOn = false;
    await writing;
  }

  for (const archive of archives) {
    const { skipped: untaken } = await importInto(target, archive);
    expect(untaken.lines()).toEqual([]);
    expect(await breachesOf(target)).toEqual([]);
    const { articles: after = [], authors = [] } = await everything(target);
    expect(authors).toContain(her);
    expect(after).toEqual(expect.arrayContaining([...before]));
  }
});
