import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import { isOfScan } from '../support/commands.js';
import lodash from 'lodash';
import qs from 'qs';
import type { CommandStartedEvent } from 'mongodb';
import request from 'supertest';
import { both, isScalar, partsOfFilter, type Filter } from '../../src/query/ast.js';
import { relationsOfFilter } from '../../src/documents/rights.js';
import { isLocalized, isShared } from '../../src/content-types/model/localized.js';
import { localeNames } from '../../src/content-types/model/system-attributes.js';
import type { Attribute, ContentType } from '../../src/content-types/model/types.js';
import { system } from '../../src/documents/caller.js';
import { emptyQuery } from '../../src/documents/context.js';
import type { Rules } from '../../src/plugins/contract/access/access.js';
import { presentList } from '../../src/documents/read-operation.js';
import { plainEntry } from '../../src/query/entry-presenter.js';
import type { TestService } from '../../src/testing.js';
import { asGraphql } from '../parity/as-graphql.js';
import { groupsAsGraphql } from '../parity/groups-as-graphql.js';
import { asRest } from '../parity/as-rest.js';
import { randomWish } from '../parity/random-request.js';
import { minutes, scaled, seed } from '../support/scaled.js';
import { useService } from '../support/service.js';
import { choicesOf, type Choices } from './choices.js';
import { isRemovable, otherValues } from './changed-fields.js';
import { folders, tape } from './databases.js';
import { createFollower } from './follow-feeds.js';
import { fillWorld, filledTypes, randomData } from './random-data.js';
import { randomFilter } from './random-filter.js';
import { randomGroups } from './random-groups.js';
import { randomQueryInput } from './random-query-input.js';
import { strapi5Requests, type Sent } from './strapi5-requests.js';

const [WORLDS, TAPES] = [scaled(1, 40), scaled(5, 64)];
const KEY = 'key-of-a-reader-with-rules';

/** The commands of the request that is answered: recovery sends others at the same time. */
const running = new AsyncLocalStorage<string[]>();

/** What the caller may do with each type; it only proposes to write. */
const actions = ['find', 'findOne', 'update', 'delete'];

/** Headers that differ between equal requests. */
const own = new Set(['date', 'x-request-id', 'content-length', 'connection', 'keep-alive']);
/** The key of a proposal, and when it expires. */
const ownOfProposals = /\\"(?:proposal|expiresAt)\\":\\"[^"\\]*/g;
/** When a dry run would have written. */
const ownOfDryRuns = /(?<="(?:updated|published)At":")[^"]*/g;

/** A value that others may have too: which unique ones are taken is no secret. */
const isText = (attribute: Attribute): boolean =>
  isScalar(attribute) && attribute.type === 'string' && !attribute.unique && !attribute.private;

interface Answer {
  readonly sent: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly commands: readonly string[];
}

/** Sometimes a type that the caller has no right to. */
const randomClosed = (types: readonly ContentType[], choices: Choices): readonly ContentType[] =>
  types.filter(({ uid }) => uid.startsWith('api::') && choices.chance(15));

/**
 * A rule for about half of the types. Rules look at entries of the other types only, which no rule hides.
 * @param closed no entry of these may be read
 */
function randomRules(
  types: readonly ContentType[],
  closed: readonly ContentType[],
  choices: Choices,
): ReadonlyMap<ContentType, Filter> {
  const limited = types.filter((type) => type.uid.startsWith('api::') && (closed.includes(type) || choices.chance(60)));
  const isFixed = (type: ContentType): boolean => !limited.includes(type) && !type.draftAndPublish;
  return new Map(
    limited.map((type) => {
      if (closed.includes(type)) return [type, { kind: 'never' }] as const;
      const candidates = Array.from({ length: 20 }, () => randomFilter(type, choices, []));
      const usable = candidates.find(
        (filter) => relationsOfFilter(filter).every(({ target }) => isFixed(target)) && !looksAtUpdates(filter),
      );
      return [type, usable ?? { kind: 'live' }] as const;
    }),
  );
}

/** Then an update of a visible entry, which this test makes without other changes, could hide it. */
const looksAtUpdates = (filter: Filter): boolean =>
  filter.kind === 'comparison'
    ? filter.field.kind === 'scalar' && filter.field.name === 'updatedAt'
    : partsOfFilter(filter).some(looksAtUpdates);

/** Without the types themselves, which would fill pages with their attributes where a test fails. */
const byUid = (ids: ReadonlyMap<ContentType, readonly number[]>): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries([...ids].map(([{ uid }, of]) => [uid, of]));

type Fields = ReadonlyMap<ContentType, ReadonlySet<Attribute>>;

/** Some attributes of the types that rules do not look at through relations: what they hold may differ. */
function randomFields(
  types: readonly ContentType[],
  rules: ReadonlyMap<ContentType, Filter>,
  choices: Choices,
): Fields {
  const varied = types.filter((type) => rules.has(type) || (type.draftAndPublish && type.uid.startsWith('api::')));
  return new Map(
    varied.map((type) => [type, new Set([...type.attributes.values()].filter(() => choices.chance(25)))] as const),
  );
}

async function findIds({ documents }: TestService, type: ContentType, filter?: Filter): Promise<readonly number[]> {
  const pagination = { form: 'offset', start: 0, limit: 1000, withCount: false } as const;
  const parameters = { locale: 'all' };
  const query = { ...emptyQuery(type), filter, pagination, publicationState: 'preview', parameters } as const;
  const { entries } = await documents.read(
    { action: 'find', query, caller: system, presenter: plainEntry },
    presentList,
  );
  return (entries as readonly { readonly id: number }[]).map(({ id }) => id).toSorted((a, b) => a - b);
}

/** The number of an entry that is there for a moment. */
const NOBODY = 987_653;

/** A call of a tool for assistants. */
const callOf = (name: string, given: object): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given },
});

describe.each(folders)('with the content types of %s', (_, contentTypes) => {
  const client = useService({
    contentTypes,
    environment: { DRAFTS: 'restricted', EVENTS: 'true', CACHE_TAGS: 'true' },
    plugins: { mcp: true, strapi5: true, graphql: { config: { aggregation: true } } },
  });

  test(
    'what a caller may not read makes no difference to any response, nor to its tags for caches',
    async () => {
      const { service } = client;
      const types = filledTypes(service.registry);
      const follower = createFollower(service, KEY);
      const api = types.filter(({ uid }) => uid.startsWith('api::'));
      const collections = new Set(types.map(({ collectionName }) => collectionName));
      const count = {
        requests: 0,
        commands: 0,
        hidden: 0,
        changed: 0,
        prepared: 0,
        refused: 0,
        tagged: 0,
        translated: 0,
      };
      for (let world = 0; world < WORLDS; world += 1) {
        const [numbers = [], ...tapes] = fc.sample(tape(5000), { seed: seed + world, numRuns: TAPES + 1 });
        const choices = choicesOf(numbers);
        const closed = randomClosed(types, choices);
        const rules = randomRules(types, closed, choices);
        await declare(rules, closed, new Map());
        await fillWorld(service, 60, choices);
        for (const type of api.filter(isLocalized)) await translate(type, choices);
        const fields = randomFields(types, rules, choices);
        await declare(rules, closed, fields);
        const visible = await visibleIds(rules);
        const all = await allIds();
        const documents = await documentIdsOf(api);
        const updated = [...visible].flatMap(([type, [id]]) => (id === undefined ? [] : [{ type, id }]));
        const start = await follower.position();
        for (const { type, id } of updated) await service.entries.update(type.uid, id, {});
        const changes = await follower.reported(api, start, choices);
        expect(changes).toEqual(expect.arrayContaining(updated.map(({ type, id }) => `${type.uid} ${id}`)));
        await prepareCopies(visible, 'prepared', choices);
        const answers = await answersTo(tapes, all, documents);
        const position = await follower.position();
        const isHidden = (type: ContentType, id: number): boolean => visible.get(type)?.includes(id) !== true;
        for (const type of api) {
          for (const id of all.get(type)?.filter((one) => isHidden(type, one)) ?? []) {
            count.hidden += 1;
            if (choices.chance(50)) await change(type, id, choices);
            else await service.entries.delete(type.uid, id);
          }
        }
        for (const [type, withheld] of fields) await changeFields(type, withheld, rules, choices);
        await prepareCopies(visible, 'prepared otherwise', choices);
        // A change may have shown an entry.
        const removed = new Set<string>();
        for (const [type, ids] of await visibleIds(rules)) {
          for (const id of ids.filter((one) => isHidden(type, one))) {
            removed.add(`${type.uid} ${id}`);
            await service.entries.delete(type.uid, id);
          }
        }
        const reported = await follower.reported(api, position, choices);
        expect({ seed, world, reported: reported.filter((name) => !removed.has(name)) }).toMatchObject({
          reported: [],
        });
        expect({ seed, world, visible: byUid(await visibleIds(rules)) }).toEqual({
          seed,
          world,
          visible: byUid(visible),
        });
        const others = await answersTo(tapes, all, documents);
        for (const [index, answer] of answers.entries()) {
          expect({ seed, world, answer: others[index] }).toEqual({ seed, world, answer });
          count.requests += 1;
          count.commands += answer.commands.length;
          if (answer.status >= 400) count.refused += 1;
          if (answer.headers['cache-tag'] !== undefined) count.tagged += 1;
        }
        if (WORLDS > 1) process.stdout.write(`${JSON.stringify({ seed, world, ...count })}\n`);
      }
      // Otherwise the requests do not come across anything.
      if (WORLDS > 1) expect(Math.min(count.hidden, count.changed, count.prepared)).toBeGreaterThan(2 * WORLDS);
      expect(count.refused).toBeLessThan((2 * count.requests) / 3);
      expect(count.tagged).toBeGreaterThan(0);
      expect(count.commands).toBeGreaterThan(count.requests / 4);

      /** Notes the commands on the collections of content types in the log of the request that sent them. */
      function note(event: CommandStartedEvent): void {
        const { commandName, command } = event;
        if (collections.has(String(command[commandName])) && !isOfScan(event)) running.getStore()?.push(commandName);
      }

      /** Adds French localizations, some of them drafts. */
      async function translate({ uid, draftAndPublish, attributes }: ContentType, choices: Choices): Promise<void> {
        const type = api.find((one) => one.uid === uid);
        for (const id of type === undefined ? [] : await findIds(service, type)) {
          if (!choices.chance(40)) continue;
          const ids = new Map(api.map((one) => [one.uid, [] as readonly number[]]));
          const data = randomData({ attributes }, { choices, ids, serial: 1000 + id });
          const draft = draftAndPublish && choices.chance(60) && { publishedAt: null };
          await service.entries.create(uid, { ...data, ...draft, locale: 'fr', localizations: [id] });
          count.translated += 1;
        }
      }

      async function declare(
        filters: ReadonlyMap<ContentType, Filter>,
        closed: readonly ContentType[],
        fields: Fields,
      ): Promise<void> {
        const permissions = types.flatMap((type) => {
          if (!type.uid.startsWith('api::')) return ['plugin::upload.content-api.find'];
          return closed.includes(type) ? [] : actions.map((name) => `${type.uid}.${name}`);
        });
        const limits: Rules = new Map(
          types.flatMap((type) => {
            const [filter, withheld] = [filters.get(type), fields.get(type)];
            const rule = { where: filter && (() => filter), withheld };
            return actions.map((name) => [`${type.uid}.${name}`, rule] as const);
          }),
        );
        const token = {
          name: 'reader',
          key: KEY,
          type: 'custom',
          description: undefined,
          expiresAt: undefined,
        } as const;
        const everybody = { type: 'public', name: undefined, description: undefined };
        await service.applyAccess({
          roles: [{ ...everybody, permissions, rules: limits }],
          tokens: [{ ...token, permissions, rules: limits }],
          locales: ['en', 'fr'].map((code) => ({ code, name: undefined, isDefault: code === 'en' })),
        });
      }

      async function visibleIds(
        filters: ReadonlyMap<ContentType, Filter>,
      ): Promise<Map<ContentType, readonly number[]>> {
        const found = new Map<ContentType, readonly number[]>();
        for (const type of api) {
          const live: readonly Filter[] = type.draftAndPublish ? [{ kind: 'live' }] : [];
          const limits = [...live, filters.get(type) ?? []].flat();
          found.set(type, await findIds(service, type, limits.reduce<Filter | undefined>(both, undefined)));
        }
        return found;
      }

      async function documentIdsOf(of: readonly ContentType[]): Promise<ReadonlyMap<ContentType, readonly string[]>> {
        const { db } = service.database;
        return new Map(
          await Promise.all(
            of.map(async (type) => {
              const rows = await db
                .collection<{ _id: number }>(type.collectionName)
                .find({}, { sort: { _id: 1 } })
                .toArray();
              return [
                type,
                [...new Set(rows.map((row) => String((row as { documentId?: unknown }).documentId)))],
              ] as const;
            }),
          ),
        );
      }

      async function allIds(): Promise<ReadonlyMap<ContentType, readonly number[]>> {
        const found = new Map<ContentType, readonly number[]>();
        for (const type of api) found.set(type, await findIds(service, type));
        return found;
      }

      /** Saves what nobody has published of entries that the caller may read. */
      async function prepareCopies(
        entries: ReadonlyMap<ContentType, readonly number[]>,
        value: string,
        choices: Choices,
      ): Promise<void> {
        const request = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } } as const;
        for (const [type, ids] of entries) {
          const text = [...type.attributes.values()].find((one) => isText(one) && one.writable);
          if (type.copies === undefined || text === undefined) continue;
          for (const id of ids) {
            if (!choices.chance(50)) continue;
            await service.documents.update({ type, id }, { [text.name]: value }, { ...request, status: 'draft' });
            count.prepared += 1;
          }
        }
      }

      /** Changes strings of an entry that its localizations do not share, and what is remembered of its type. */
      async function change(type: ContentType, id: number, choices: Choices): Promise<void> {
        const texts = [...type.attributes.values()]
          .filter(isScalar)
          .filter((one) => ['string', 'text'].includes(one.type) && !localeNames.has(one.name))
          .filter((one) => !isLocalized(type) || !isShared(one, type));
        const values = texts.filter(() => choices.chance(50)).map(({ name }) => [name, `changed ${id}`]);
        const { db } = service.database;
        const collection = db.collection<{ _id: number }>(type.collectionName);
        if (values.length > 0) await collection.updateOne({ _id: id }, { $set: Object.fromEntries(values) });
        await service.entries.update(type.uid, id, {});
      }

      /** Changes what is withheld or private in entries that the caller may read, unless a rule then hides them. */
      async function changeFields(
        type: ContentType,
        withheld: ReadonlySet<Attribute>,
        filters: ReadonlyMap<ContentType, Filter>,
        choices: Choices,
      ): Promise<void> {
        const collection = service.database.db.collection<{ _id: number }>(type.collectionName);
        // The locale decides which lists an entry is in, also where it is withheld.
        const hidden = [...type.attributes.values()].filter(
          (attribute) => (withheld.has(attribute) || attribute.private) && !localeNames.has(attribute.name),
        );
        for (const entry of await collection.find({ _copied: null } as object).toArray()) {
          const chosen = hidden.filter(() => choices.chance(70));
          const values = chosen.flatMap((attribute): (readonly [string, unknown])[] => {
            const isPlain = isScalar(attribute) && !attribute.unique && Object.hasOwn(otherValues, attribute.type);
            return isPlain ? [[attribute.name, otherValues[attribute.type]]] : [];
          });
          const removed = chosen.filter(isRemovable).map(({ name }) => name);
          const filter = filters.get(type);
          const isMatching = async () =>
            filter === undefined || (await findIds(service, type, filter)).includes(entry._id);
          const wasMatching = await isMatching();
          if (values.length + removed.length === 0) continue;
          const { _refs: references = [], ...stored } = entry as { _id: number; _refs?: readonly { a: string }[] };
          const kept = references.filter((reference) => !removed.includes(reference.a.split('.', 1)[0] ?? ''));
          const left = Object.entries({ ...stored, ...Object.fromEntries(values) });
          await collection.replaceOne(
            { _id: entry._id },
            Object.fromEntries([
              ...left.filter(([name]) => !removed.includes(name)),
              ...(kept.length > 0 ? [['_refs', kept]] : []),
            ]),
          );
          if ((await isMatching()) === wasMatching) count.changed += 1;
          else await collection.replaceOne({ _id: entry._id }, entry);
        }
      }

      /** As after a write to each type: the same request then sends the same commands, whenever that is. */
      async function invalidateCaches(): Promise<void> {
        const raise = { update: { $inc: { v: 1 } }, upsert: true };
        const operations = types.map(({ uid }) => ({ updateOne: { filter: { _id: uid }, ...raise } }));
        await service.database.db.collection<{ _id: string; v: number }>('_versions').bulkWrite(operations);
      }

      async function answersTo(
        tapes: readonly (readonly number[])[],
        ids: ReadonlyMap<ContentType, readonly number[]>,
        documents: ReadonlyMap<ContentType, readonly string[]>,
      ): Promise<readonly Answer[]> {
        const answers: Answer[] = [];
        // A caller has a limited number of them.
        await service.database.db.collection('mcp_proposals').deleteMany({});
        for (const numbers of tapes) {
          const choices = choicesOf(numbers);
          const type = choices.oneOf(api);
          const input = (): object => randomQueryInput(type, choices);
          const id = choices.oneOf([...(ids.get(type) ?? []), 1]);
          const wish = randomWish(api, choices);
          const found = { ...input(), publicationState: 'preview' };
          const groups = (): object => ({
            ...randomGroups(type, choices),
            ...lodash.pick(input(), 'filters', '_q'),
            ...(choices.chance(50) && { publicationState: 'preview' }),
            locale: choices.oneOf(['all', 'en', 'fr']),
          });
          const ofGroups = (list: string): string => {
            const texts = isLocalized(type) ? { locale: choices.oneOf(['en', 'fr']) } : {};
            const asked = { ...randomGroups(type, choices), having: undefined };
            return groupsAsGraphql(type, asked, { words: {}, texts }, (fields) => `{ ${list} { ${fields} } }`);
          };
          const tool = (name: string, given: object): readonly [ContentType, string, object] => [
            type,
            '/mcp',
            callOf(name, given),
          ];
          const propose = (operation: object) =>
            tool('propose_changes', { operations: [{ type: type.uid, id, ...operation }] });
          const text = [...type.attributes.values()].find((one) => isText(one) && one.writable);
          const data = text === undefined ? {} : { [text.name]: 'proposed' };
          const requests: readonly Sent[] = [
            [type, `/api/${type.pluralName}?${qs.stringify(found)}`],
            [type, `/api/${type.pluralName}/aggregate?${qs.stringify(groups())}`],
            [type, `/v5/api/${type.pluralName}/aggregate?${qs.stringify(lodash.omit(groups(), 'publicationState'))}`],
            [type, `/graphql?${qs.stringify({ query: ofGroups('data') })}`],
            [type, `/v5/graphql?${qs.stringify({ query: ofGroups('nodes') })}`],
            [type, `/api/${type.pluralName}/${id}?${qs.stringify(input())}`],
            [type, `/api/${type.pluralName}?populate=*&_q=${choices.oneOf(['a', '1', 'changed'])}`],
            [wish.type, asRest(wish)],
            [wish.type, `/graphql?${qs.stringify({ query: asGraphql(wish) })}`],
            tool('find_entries', { type: type.uid, ...found }),
            tool('get_entry', { type: type.uid, id }),
            tool('search_entries', { text: choices.oneOf(['a', '1', 'changed']), type: type.uid }),
            tool('describe_content', { type: type.uid }),
            propose({ action: 'update', data }),
            propose({ action: 'delete' }),
            ...strapi5Requests({ type, wish, data, documents, ids, choices }),
          ];
          for (const [of, path, body, method] of requests) {
            await invalidateCaches();
            const isPublic = body === undefined && choices.chance(50);
            answers.push(await send(of, path, { body, method, isPublic }));
          }
        }
        return answers;
      }

      /** The total of a list is counted again: which totals are cached depends on when recovery writes. */
      async function expireTotals({ uid, collectionName }: ContentType): Promise<void> {
        // A change of an entry leaves the totals that do not depend on what it changes.
        await service.database.db.collection<{ _id: number }>(collectionName).insertOne({ _id: NOBODY });
        await service.entries.delete(uid, NOBODY);
      }

      /** Sends a request, and notes its commands on the collections of content types. */
      async function send(
        type: ContentType,
        path: string,
        {
          body,
          method = body === undefined ? 'get' : 'post',
          isPublic,
        }: { readonly body: object | undefined; readonly method: Sent[3]; readonly isPublic: boolean },
      ): Promise<Answer> {
        await expireTotals(type);
        const commands: string[] = [];
        const { client: driver } = service.database;
        driver.on('commandStarted', note);
        const sending = request(
          createServer({ maxHeaderSize: 1 << 20 }, (received, response) =>
            running.run(commands, () => service.handler(received, response)),
          ),
        );
        const sent = body === undefined ? sending[method](path) : sending[method](path).send(body);
        if (!isPublic) void sent.auth(KEY, { type: 'bearer' });
        const { status, headers, text } = await sent.accept('application/json, text/event-stream');
        driver.off('commandStarted', note);
        const kept = Object.fromEntries(
          Object.entries(headers as Readonly<Record<string, unknown>>).filter(([name]) => !own.has(name)),
        );
        return {
          sent: `${method} ${decodeURIComponent(path)}` + (body === undefined ? '' : JSON.stringify(body)),
          status,
          headers: kept,
          body: text.replaceAll(method === 'put' ? ownOfDryRuns : ownOfProposals, ''),
          commands,
        };
      }
    },
    minutes(10),
  );
});
