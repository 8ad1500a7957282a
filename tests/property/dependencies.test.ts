import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { isLocalized } from '../../src/content-types/model/localized.js';
import { isUnique } from '../../src/content-types/model/unique.js';
import type { Attribute, ContentType } from '../../src/content-types/model/types.js';
import { emptyQuery } from '../../src/documents/context.js';
import { sourcesOf } from '../../src/documents/response/response-cache.js';
import { createVersionedCache } from '../../src/mongo/cache/versioned-cache.js';
import { openStore } from '../../src/mongo/store.js';
import { both, id, isScalar, type Filter, type Query } from '../../src/query/ast.js';
import { createCacheTags } from '../../src/query/cache-tags.js';
import { plainEntry } from '../../src/query/entry-presenter.js';
import { hasCode } from '../../src/errors/app-error.js';
import { parseAggregate } from '../../src/query/parse/parse-aggregate.js';
import fc from '../support/fast-check.js';
import { limits } from '../support/golden.js';
import { scaled, seed } from '../support/scaled.js';
import type { World } from '../support/evaluate-filter.js';
import { useService } from '../support/service.js';
import { choicesOf, type Choices } from './choices.js';
import { folders, makeWorld, tape } from './databases.js';
import { filledTypes, randomData, randomValue, theirs } from './random-data.js';
import { describeFilter, randomFilter } from './random-filter.js';
import { randomGroups } from './random-groups.js';
import { describeList, randomNodes, randomSort } from './random-list.js';

const [QUERIES, WRITES] = [scaled(15, 60), scaled(15, 300)];

/** A read whose result is cached. */
interface Read {
  readonly key: string;
  readonly query: Query;
  /** Of the only entry that is read. */
  readonly id: number | undefined;
}

const secret = 'the secret of all tags';
/** Nobody accepts the purges, so that they stay in the database. */
const project = mkdtempSync(path.join(os.tmpdir(), 'tags-'));
mkdirSync(path.join(project, 'config'));
const caches = [{ type: 'webhook', url: 'http://127.0.0.1:1' }];
writeFileSync(path.join(project, 'config', 'cdn.json'), JSON.stringify({ caches }));
afterAll(() => rmSync(project, { recursive: true }));

describe.each(folders)('with the content types of %s', (_, contentTypes) => {
  const client = useService({
    contentTypes,
    environment: { CACHE_TAGS: 'true', JWT_SECRET: secret },
    configure: (config) => ({ ...config, folders: { ...config.folders, project } }),
  });

  test('a cached result is that of a new read, until a write affects it, which then purges one of its tags', async () => {
    const { service } = client;
    const locales = ['en', 'fr'].map((code) => ({ code, name: undefined, isDefault: code === 'en' }));
    await service.applyAccess({ roles: [], tokens: [], locales });
    const { world } = await makeWorld(service, 50);
    const store = openStore(service.database.db, { timeout: 60_000, exclusive: false });
    const types = filledTypes(service.registry);
    const ids = new Map(types.map(({ uid }) => [uid, (world.get(uid) ?? []).map((row) => Number(row['_id']))]));
    const [numbers = []] = fc.sample(tape(100_000), { seed, numRuns: 1 });
    const choices = choicesOf(numbers);
    const reads = Array.from({ length: QUERIES }, () => randomRead(types, { ids, world }, choices));
    const cache = createVersionedCache<string>({ bytes: 2 ** 26, sizeOf: () => 0 });
    const counts = { valid: 0, invalid: 0, needless: 0 };
    const last = new Map<Read, { readonly result: string; readonly tags: readonly string[] }>();
    const { ofResponse } = createCacheTags(secret, 200);
    const purges = service.database.db.collection<{ readonly tags: readonly string[] }>('_purges');
    for (let round = 0; round <= WRITES; round += 1) {
      await purges.deleteMany({});
      const write = round === 0 ? 'no write' : await writeRandomly(service, types, ids, choices, round);
      const purged = new Set((await purges.find().toArray()).flatMap(({ tags }) => tags));
      for (const read of reads) {
        const { query, id, key } = read;
        const identity = await store.cacheKey([{ query, id }]);
        const cached = await cache.get(key, identity.versions);
        const page = await store.find(query, { id });
        const result = JSON.stringify([page.total, page.entries.map((entry) => entry(plainEntry))]);
        if (cached !== undefined) expect({ seed, write, key, cached }).toEqual({ seed, write, key, cached: result });
        const sources = sourcesOf(identity, page.ids);
        if (cached === undefined) cache.set(key, sources, result);
        const before = last.get(read);
        const isSame = before?.result === result;
        const isStale = before !== undefined && !isSame && !before.tags.some((tag) => purged.has(tag));
        expect({ seed, write, key, isStale }).toEqual({ seed, write, key, isStale: false });
        counts[cached !== undefined ? 'valid' : isSame ? 'needless' : 'invalid'] += 1;
        last.set(read, { result, tags: ofResponse(sources) });
      }
    }
    // Otherwise the test would prove nothing.
    expect(counts.valid).toBeGreaterThan(counts.needless);
    expect(counts.invalid).toBeGreaterThanOrEqual(QUERIES);
    // Each of the writes is followed by all queries.
  });
});

type Ids = Map<string, number[]>;

/** Localized types often: there are few of them. */
function randomType(types: readonly ContentType[], choices: Choices): ContentType {
  const localized = types.filter(isLocalized);
  return choices.oneOf(localized.length > 0 && choices.chance(30) ? localized : types);
}

function randomRead(
  types: readonly ContentType[],
  { ids, world }: { readonly ids: Ids; readonly world: World },
  choices: Choices,
): Read {
  const type = randomType(types, choices);
  const all = [...ids.values()].flat();
  const some = choices.chance(40) ? randomFilter(type, choices, all) : undefined;
  const special = choices.chance(50) ? uniqueFilter(type, world, choices) : linkFilter(type, ids, choices);
  const selected = choices.chance(40) ? both(special, choices.chance(30) ? some : undefined) : some;
  const filter = both(selected, localeFilter(type, ['en', 'fr'], choices));
  const [sort, populate] = [randomSort(type, choices, 40), randomNodes(type, types, choices, all)];
  const limit = choices.chance(50) ? 1000 : 1 + choices.below(9);
  const ofType = ids.get(type.uid) ?? [];
  const id = choices.chance(30) && ofType.length > 0 ? choices.oneOf(ofType) : undefined;
  const described = describeList({ sort, populate, start: 0, limit });
  const key = `${type.singularName} ${id ?? ''} ${described} ${filter ? describeFilter(filter) : ''}`;
  const fields = [...type.attributes.values()].filter(isScalar).filter((attribute) => attribute.type !== 'password');
  const localized = isLocalized(type) && ({ availableLocales: true } as const);
  const pagination = { form: 'offset', start: 0, limit, withCount: id === undefined } as const;
  const list = { ...emptyQuery(type), ...localized, fields, sort, filter, populate, pagination };
  const grouped = id === undefined && choices.chance(25) ? groupsOf(type, filter, choices) : undefined;
  return grouped ?? { key, id, query: list };
}

/** Groups of the entries that match; undefined if the request contradicts itself. */
function groupsOf(type: ContentType, filter: Filter | undefined, choices: Choices): Read | undefined {
  const input = randomGroups(type, choices);
  const key = `${type.singularName} ${JSON.stringify(input)} ${filter ? describeFilter(filter) : ''}`;
  try {
    const query = parseAggregate(input, type, 'client', { ...limits, maxLimit: 1000 });
    return { key, id: undefined, query: { ...query, filter } };
  } catch (error) {
    if (hasCode(error, 'invalidValue') || hasCode(error, 'tooCostly')) return undefined;
    throw error;
  }
}

/** Sometimes finds the entries of one of these locales; undefined for a type without locales. */
function localeFilter(type: ContentType, codes: readonly string[], choices: Choices): Filter | undefined {
  const locale = isLocalized(type) && choices.chance(50) ? type.attributes.get('locale') : undefined;
  return locale?.kind === 'scalar'
    ? { kind: 'comparison', field: locale, operator: '$eq', operands: [choices.oneOf(codes)] }
    : undefined;
}

/** Finds the entry with a unique value, or one of its localizations, sometimes only if it is published or English. */
function uniqueFilter(type: ContentType, world: World, choices: Choices): Filter | undefined {
  const rows = world.get(type.uid) ?? [];
  const values = [...type.attributes.values()]
    .filter(isScalar)
    .filter(isUnique)
    .flatMap((field) =>
      rows.flatMap((row) =>
        typeof row[field.name] === 'string' ? [{ field, operand: row[field.name] as string }] : [],
      ),
    );
  if (values.length === 0) return undefined;
  const { field, operand } = choices.oneOf(values);
  const filter = { kind: 'comparison', field, operator: '$eq', operands: [operand] } as const;
  const inEnglish = localeFilter(type, ['en'], choices);
  return both(both(type.draftAndPublish && choices.chance(50) ? { kind: 'live' } : undefined, inEnglish), filter);
}

/** Finds the entries with a link to some entries, sometimes only those that are published. */
function linkFilter(type: ContentType, ids: Ids, choices: Choices): Filter | undefined {
  const relations = [...type.attributes.values()].filter((attribute) => attribute.kind === 'relation');
  if (relations.length === 0) return undefined;
  const attribute = choices.oneOf(relations);
  const targets = ids.get(attribute.target.uid) ?? [];
  if (targets.length === 0) return undefined;
  const operands = Array.from({ length: 1 + choices.below(2) }, () => choices.oneOf(targets));
  const filter = { kind: 'comparison', field: id, operator: '$in', operands } as const;
  const live = type.draftAndPublish && choices.chance(50) ? ({ kind: 'live' } as const) : undefined;
  return both(live, { kind: 'related', attribute, filter });
}

/** Creates, translates, changes or deletes an entry; returns a description. */
async function writeRandomly(
  { entries }: ReturnType<typeof useService>['service'],
  types: readonly ContentType[],
  ids: Ids,
  choices: Choices,
  round: number,
): Promise<string> {
  const type = randomType(types, choices);
  const { uid, attributes, singularName } = type;
  const filling = { choices, ids, serial: 1000 + round };
  const ofType = ids.get(uid) ?? [];
  if (ofType.length === 0 || choices.chance(20)) {
    const translated = ofType.length > 0 && isLocalized(type) && choices.chance(60) ? choices.oneOf(ofType) : undefined;
    const source =
      translated === undefined ? undefined : await entries.findOne(uid, translated, { populate: ['localizations'] });
    const isAlone = source?.['locale'] === 'en' && (source['localizations'] as readonly unknown[]).length === 0;
    const french = isAlone && { locale: 'fr', localizations: [translated] };
    const { id } = await entries.create(uid, { ...randomData({ attributes }, filling), ...french });
    ids.set(uid, [...ofType, id]);
    return `create ${singularName} ${id} ${JSON.stringify(french)}`;
  }
  const id = choices.oneOf(ofType);
  // Deleting a file needs the stored one.
  if (uid.startsWith('api::') && choices.chance(15)) {
    await entries.delete(uid, id);
    ids.set(
      uid,
      ofType.filter((other) => other !== id),
    );
    return `delete ${singularName} ${id}`;
  }
  const writable = [...attributes.values()].filter(({ writable, name }) => writable && !theirs.has(name));
  const changed = choices.oneOf(writable);
  const value = await orSameComponents(entries, { uid, id, changed }, randomValue(changed, filling), choices);
  const inverse = changed.kind === 'relation' && changed.side === 'inverse';
  const targets = inverse ? (ids.get(changed.target.uid) ?? []) : [];
  const link = targets.length > 0 ? { [changed.name]: { connect: [choices.oneOf(targets)] } } : {};
  const published = attributes.has('publishedAt') && choices.chance(30);
  const data = {
    ...(value !== undefined && { [changed.name]: value }),
    ...link,
    ...(published && { publishedAt: choices.oneOf([null, new Date()]) }),
  };
  await entries.update(uid, id, data);
  return `update ${singularName} ${id} ${JSON.stringify(data)}`;
}

/** Sometimes the stored components with a new value instead, which are then changed within the entry. */
async function orSameComponents(
  entries: ReturnType<typeof useService>['service']['entries'],
  { uid, id, changed }: { readonly uid: string; readonly id: number; readonly changed: Attribute },
  value: unknown,
  choices: Choices,
): Promise<unknown> {
  if (changed.kind !== 'component' || value === undefined || choices.chance(40)) return value;
  const stored = (await entries.findOne(uid, id, { populate: [changed.name] }))?.[changed.name] ?? [];
  const ids = [stored].flat().map((component) => (component as { readonly id: number }).id);
  if (Array.isArray(value)) return value.map((component: object, index) => ({ ...component, id: ids[index] }));
  return { ...(value as object), id: ids[0] };
}
