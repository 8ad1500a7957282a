import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import lodash from 'lodash';
import { extract } from 'tar-stream';
import { beforeAll, expect, test } from '@jest/globals';
import { exportToStrapi } from '../../../src/cli/commands/export/strapi/export-to-strapi.js';
import { openSource } from '../../../src/cli/commands/import/import.js';
import type { EntryItem, LinkItem } from '../../../src/cli/commands/import/source.js';
import { storedTypes } from '../../../src/content-types/model/stored-types.js';
import type { Workspace } from '../../../src/mongo/maintenance/import-workspace.js';
import { openLocalStore } from '../../../src/plugins/upload/storage/open-store.js';
import type { TestService } from '../../../src/testing.js';
import { filesOf, useTargets } from '../../../tests/api/cli/export/support.js';
import { encrypt } from '../../../tests/api/cli/import/make-archive.js';
import { useService } from '../../../tests/support/service.js';
import { archive, asStrapi5, importInto, recorded } from './imported.js';

const { reads } = JSON.parse(readFileSync(path.join(recorded, 'reads.json'), 'utf8')) as { reads: readonly Read[] };

interface Read {
  readonly name: string;
  readonly request: {
    readonly method?: string;
    readonly path: string;
    readonly auth?: string;
    readonly body?: object;
    readonly bytes?: boolean;
  };
  readonly expect: unknown;
}

const client = useService({ ...asStrapi5, contentTypes: `${recorded}/content-types` });
const openTarget = useTargets(asStrapi5);

let imported: Awaited<ReturnType<typeof importInto>>;
beforeAll(async () => {
  imported = await importInto(client.service, archive);
});

test('an export of Strapi 5 answers what Strapi answered before', async () => {
  expect(imported).toEqual({ stored: 181, existing: 0, lines: [] });
  const compared = reads.map(async ({ request, expect: expected }) => {
    const [ours, theirs] = [reduced(await send(request)), reduced(expected)];
    return lodash.isEqual(ours, theirs) ? [] : [{ request, ours, theirs }];
  });
  expect((await Promise.all(compared)).flat()).toEqual([]);
});

// Seen of Strapi 5.54 with this data.
test('in filters an entry is one of its own localizations', async () => {
  const send = async (query: string): Promise<readonly { readonly id: number }[]> =>
    (await client.get(`/api/stories?${query}`)).body.data;
  const [first] = await send('pagination[pageSize]=1');
  const counts = Object.entries({
    '[locale]=en': 21,
    '[locale]=de': 4,
    '[locale][$ne]=en': 9,
    '[title][$contains]=story 2': 7,
    '[$notNull]=true': 21,
    '[$null]=true': 0,
    [`=${first?.id}`]: 1,
  });
  for (const [condition, count] of counts)
    expect([condition, (await send(`filters[localizations]${condition}`)).length]).toEqual([condition, count]);
});

test('a repeated import, of the encrypted archive or the folder, changes nothing', async () => {
  const before = await storedIn(client.service);
  const folder = path.join(client.service.dataFolder, 'unpacked');
  await unpack(archive, folder);
  for (const [address, key] of [
    [encrypt(archive, 'newsroom-key'), 'newsroom-key'],
    [folder, undefined],
  ] as const) {
    const again = await importInto(client.service, address, { ...(key !== undefined && { key }) });
    expect(again).toEqual({ stored: 0, existing: 181, lines: [] });
  }
  expect(await storedIn(client.service)).toEqual(before);
});

test('what goes back to Strapi 5 and comes again is the same', async () => {
  const { registry, database } = client.service;
  const file = path.join(client.service.dataFolder, 'back.tar.gz');
  const told: string[] = [];
  await exportToStrapi({
    file,
    like: archive,
    key: undefined,
    dryRun: false,
    registry,
    database,
    stopping: new AbortController().signal,
    store: openLocalStore(filesOf(client.service)),
    output: { print: (line) => told.push(line), result: () => undefined },
  });
  expect(told).toEqual([
    'Not in Strapi: 1 API token: strapi import passes over tokens; create them in its admin panel',
    `${file}: 181 entries and 6 files for strapi import`,
  ]);
  expect(await countsOf(file)).toEqual(await countsOf(archive));
  expect(await rowsOf(file)).toEqual(await rowsOf(archive));
  const other = await openTarget(`${recorded}/content-types`);
  expect((await importInto(other, file)).lines).toEqual([]);
  expect(await storedIn(other)).toEqual(await storedIn(client.service));
});

async function send({ method = 'GET', path: address, auth, body, bytes }: Read['request']): Promise<unknown> {
  const { url, token } = client.service;
  const headers = {
    ...(auth === 'full' && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
  };
  const response = await fetch(url + address, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  const answer: unknown = text === '' ? '' : JSON.parse(text);
  if (bytes !== true) return { status: response.status, body: answer };
  const files = (answer as readonly { name: string; mime: string; url: string }[]).map(async (file) => {
    const read = await fetch(url + file.url);
    const content = Buffer.from(await read.arrayBuffer());
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { name: file.name, mime: file.mime, status: read.status, sha256 };
  });
  return { status: response.status, body: await Promise.all(files) };
}

/** Where the bytes of a file lie. */
const storage = new Set([
  'url',
  'hash',
  'provider',
  'provider_metadata',
  'folderPath',
  'formats',
  'previewUrl',
  'size',
]);

/** An answer without what an import may change: integers, times of writes, and where files lie. */
function reduced(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reduced);
  if (typeof value !== 'object' || value === null) return value;
  const isFile = 'mime' in value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]: [string, unknown]) => {
      if (isFile && storage.has(name)) return [];
      if (name === 'error') return [[name, { name: (one as Error).name, status: (one as { status?: number }).status }]];
      if (name === 'id' || name === 'jwt') return [[name, `<${name}>`]];
      if (name === 'createdAt' || name === 'updatedAt') return [[name, typeof one]];
      if (name === 'publishedAt') return [[name, one === null ? null : 'set']];
      return [[name, reduced(one)]];
    }),
  );
}

/** Unpacks an archive into a folder. */
async function unpack(file: string, folder: string): Promise<void> {
  const members = extract();
  createReadStream(file).pipe(createGunzip()).pipe(members);
  for await (const member of members) {
    const target = path.join(folder, member.header.name);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, await buffer(member));
  }
}

/** How many rows of each type and links of each relation an archive has. */
async function countsOf(file: string): Promise<Readonly<Record<string, number>>> {
  const source = await openSource(file, { key: undefined });
  const counts: Record<string, number> = {};
  const names = { entry: ({ type }: EntryItem) => type, link: ({ left }: LinkItem) => `${left.type} ${left.field}` };
  for await (const item of source.read(() => undefined, {} as Workspace)) {
    const name = item.kind === 'entry' ? names.entry(item) : item.kind === 'link' ? names.link(item) : item.kind;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/**
 * The rows of an archive without their numbers and those of components. A type without drafts has no time of
 * publication here, and a draft has the password of what is published.
 */
async function rowsOf(file: string): Promise<Readonly<Record<string, unknown>>> {
  const source = await openSource(file, { key: undefined });
  const rows: Record<string, unknown> = {};
  for await (const item of source.read(() => undefined, {} as Workspace)) {
    if (item.kind !== 'entry') continue;
    for (const { data } of [item, ...(item.draft === undefined ? [] : [item.draft])]) {
      const { publishedAt, secret: _password, ...values } = data;
      rows[[item.type, data['documentId'], data['locale'], publishedAt === null].join(' ')] = withoutNumbers(values);
    }
  }
  return rows;
}

const withoutNumbers = (value: unknown): unknown =>
  lodash.isPlainObject(value)
    ? lodash.mapValues(lodash.omit(value as object, 'id'), withoutNumbers)
    : Array.isArray(value)
      ? value.map(withoutNumbers)
      : value;

/** Every entry and working copy, by its type; the tokens are each service's own. */
async function storedIn({ database: { db }, registry }: TestService): Promise<Readonly<Record<string, unknown>>> {
  const read = storedTypes(registry).map(async ({ uid, collectionName }) => {
    const documents = await db
      .collection(collectionName)
      .find({}, { sort: { _id: 1 } })
      .toArray();
    return [uid, uid === 'admin::api-token' ? [] : documents] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}
