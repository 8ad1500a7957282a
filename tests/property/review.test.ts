import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient, type Db } from 'mongodb';
import { link } from '../../src/content-types/link/link.js';
import type { ContentType } from '../../src/content-types/model/types.js';
import { system } from '../../src/documents/caller.js';
import type { Documents } from '../../src/documents/documents.js';
import { AppError } from '../../src/errors/app-error.js';
import { checkDatabase } from '../../src/mongo/maintenance/check/check-database.js';
import { describeViolation } from '../../src/mongo/maintenance/check/violation.js';
import { openStore } from '../../src/mongo/store.js';
import { plainEntry } from '../../src/query/entry-presenter.js';
import { openDocuments } from '../support/open-documents.js';
import { testUri } from '../support/commands.js';
import { randomNumbers } from '../support/random-numbers.js';
import { minutes, scaled, seed } from '../support/scaled.js';
import { contentType, define } from '../unit/content-types/define.js';
import { choicesOf, type Choices } from './choices.js';

const RUNS = Number(process.env['RUNS'] ?? scaled(6, 120));
const STEPS = 40;

const attributes = { title: { type: 'string' }, price: { type: 'integer' } };
const options = { draftAndPublish: true, trash: 30 };
const registry = link(
  define(
    contentType('article', attributes, { collectionName: 'articles', options: { ...options, workingCopies: true } }),
    contentType('note', attributes, { collectionName: 'notes', options }),
  ),
);
const typeOf = (name: string): ContentType => {
  const type = registry.contentTypes.get(`api::${name}.${name}`);
  if (type === undefined) throw new Error(`There is no ${name}`);
  return type;
};

let client: MongoClient;
let db: Db;
let documents: Documents;
beforeAll(async () => {
  client = await MongoClient.connect(testUri('maxPoolSize', '8'));
  db = client.db('review', { writeConcern: { w: 1, journal: false } });
  const store = openStore(db, { timeout: 15_000, exclusive: true });
  await store.prepare(registry);
  documents = openDocuments(registry, store);
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

const request = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } };

interface Values {
  readonly title: string;
  readonly price: number;
}

/** The model: the values that readers see and those that are prepared, and the request. */
interface Model {
  live: Values | undefined;
  /** Undefined: nothing waits. */
  prepared: Values | undefined;
  review: { readonly tag: string; readonly asked: string; state: 'ready' | 'back' } | undefined;
}

/** What is stored of an entry, as the model has it; without a request of which nothing waits. */
async function observed(type: ContentType, id: number): Promise<unknown> {
  const find = async (name: string) => db.collection<{ _id: number }>(name).findOne({ _id: id });
  const entry = (await find(type.collectionName)) as Record<string, unknown> | null;
  const copy = type.copies === undefined ? null : await find(type.copies.collectionName);
  const valuesIn = (document: object | null): Values | undefined => {
    const { title, price } = (document ?? {}) as Partial<Values>;
    return document === null ? undefined : { title: String(title), price: Number(price) };
  };
  const isLive = entry?.['_live'] === 1;
  const review = await documents.reviews.find(type, id, system);
  return {
    live: isLive ? valuesIn(entry) : undefined,
    prepared: isLive ? valuesIn(copy) : valuesIn(entry),
    review: review && {
      tag: review.tag,
      state: review.ready === undefined ? 'back' : 'ready',
      isChanged: review.isChanged,
    },
  };
}

const expectedOf = ({ live, prepared, review }: Model): unknown => ({
  live,
  prepared,
  review: review && { tag: review.tag, state: review.state, isChanged: review.asked !== JSON.stringify(prepared) },
});

/** The error of a refused step, or `done`. */
const outcomeOf = (step: Promise<unknown>): Promise<string> =>
  step.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof AppError) return error.code;
      throw error;
    },
  );

/** Does something at random, to the entry and to the model; returns what happened and what should have. */
async function step(
  type: ContentType,
  id: number,
  model: Model,
  tags: string[],
  choices: Choices,
): Promise<readonly [name: string, outcome: string, expected: string]> {
  const hasCopies = type.copies !== undefined;
  const changed = choices.chance(50) ? { title: `t${choices.below(3)}` } : { price: choices.below(3) };
  const tag = choices.chance(60) ? (model.review?.tag ?? 'none') : (tags[choices.below(tags.length)] ?? 'none');
  const isCurrent = model.review?.state === 'ready' && model.review.tag === tag;
  const publish = (): void => {
    model.live = model.prepared ?? model.live;
    model.prepared = undefined;
    model.review = undefined;
  };
  const prepare = (values: Values): void => {
    const isSame = JSON.stringify(values) === JSON.stringify(model.live);
    model.prepared = isSame ? undefined : values;
    if (isSame) model.review = undefined;
  };
  const steps: Readonly<Record<string, () => Promise<readonly [string, string]>>> = {
    save: async () => {
      if (!hasCopies && model.live !== undefined) return ['done', 'done'];
      const status = hasCopies ? ({ status: 'draft' } as const) : {};
      const outcome = await outcomeOf(documents.update({ type, id }, changed, { ...request, ...status }));
      prepare({ ...(model.prepared ?? model.live ?? { title: '', price: 0 }), ...changed });
      return [outcome, 'done'];
    },
    ask: async () => {
      if (model.prepared === undefined)
        return [await outcomeOf(documents.reviews.ask(type, id, undefined, system)), 'conflict'];
      const asked = await documents.reviews.ask(type, id, undefined, system);
      const name = asked?.tag ?? '';
      tags.push(name);
      model.review = { tag: name, asked: JSON.stringify(model.prepared), state: 'ready' };
      return ['done', 'done'];
    },
    'publish what was asked for': async () => {
      const isAsked = isCurrent && model.review?.asked === JSON.stringify(model.prepared);
      const outcome = await outcomeOf(documents.reviews.publish(type, id, tag, system));
      if (isAsked) publish();
      return [outcome, isAsked ? 'done' : 'preconditionFailed'];
    },
    'send back': async () => {
      const outcome = await outcomeOf(documents.reviews.sendBack(type, id, tag, 'No', system));
      if (isCurrent && model.review !== undefined) model.review = { ...model.review, state: 'back' };
      return [outcome, isCurrent ? 'done' : 'preconditionFailed'];
    },
    withdraw: async () => {
      model.review = undefined;
      return [await outcomeOf(documents.reviews.withdraw(type, id, system)), 'done'];
    },
    publish: async () => {
      const outcome = await outcomeOf(documents.update({ type, id }, {}, { ...request, status: 'published' }));
      publish();
      return [outcome, 'done'];
    },
    unpublish: async () => {
      if (model.live === undefined) return ['done', 'done'];
      const outcome = await outcomeOf(documents.update({ type, id }, { publishedAt: null }, request));
      model.prepared ??= model.live;
      model.live = undefined;
      return [outcome, 'done'];
    },
    discard: async () => {
      const has = hasCopies && model.live !== undefined && model.prepared !== undefined;
      if (!has) return ['done', 'done'];
      model.prepared = undefined;
      model.review = undefined;
      return [await outcomeOf(documents.delete({ type, id }, { ...request, status: 'draft' })), 'done'];
    },
    'delete and restore': async () => {
      await documents.delete({ type, id }, request);
      const outcome = await outcomeOf(documents.trash.restore(type, id, request));
      model.prepared ??= model.live;
      model.live = undefined;
      model.review = undefined;
      return [outcome, 'done'];
    },
  };
  const name = choices.oneOf(['save', 'save', 'ask', 'ask', 'publish what was asked for', ...Object.keys(steps)]);
  const [outcome, expected] = (await steps[name]?.()) ?? ['', ''];
  return [name, outcome, expected];
}

/**
 * Laws 10 and 13 of the review: what is published by a request is what was asked for, and no edit survives it unseen.
 */
test.each(['article', 'note'])(
  'a request of a %s publishes what was asked for, or nothing',
  async (name) => {
    const type = typeOf(name);
    const random = randomNumbers(seed);
    for (let run = 0; run < RUNS; run += 1) {
      const choices = choicesOf(Array.from({ length: STEPS * 8 }, () => Math.floor(random() * 1000)));
      const created = await documents.create(type, { title: 't0', price: 0, publishedAt: null }, request);
      const { id } = created as { readonly id: number };
      const model: Model = { live: undefined, prepared: { title: 't0', price: 0 }, review: undefined };
      const [tags, log]: readonly [string[], string[]] = [[], []];
      for (let index = 0; index < STEPS; index += 1) {
        const [did, outcome, expected] = await step(type, id, model, tags, choices);
        log.push(did);
        expect([log, outcome]).toEqual([log, expected]);
        expect([log, await observed(type, id)]).toEqual([log, expectedOf(model)]);
      }
    }
    const breaches: string[] = [];
    for await (const { violations } of checkDatabase(db, registry)) breaches.push(...violations.map(describeViolation));
    expect(breaches).toEqual([]);
  },
  minutes(10),
);
