import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ContentType, RelationAttribute } from '../../../../src/content-types/model/types.js';
import { earlyAttributes, earlyPart, latePart } from '../../../../src/mongo/write/batch/parts.js';
import type { Changes, LinkChange, Links, StoredValue, Write } from '../../../../src/query/mutation.js';
import { loadCorpus, typeOf } from '../../../support/golden.js';

let article: ContentType;
beforeAll(async () => {
  article = typeOf(await loadCorpus(), 'article');
});

const [first, second] = [
  { a: '_batch', n: 90 },
  { a: '_batch', n: 91 },
];
const at = new Date(1);

/** Changes by an attribute each, with the marks of a batch and the time of the write. */
function changesOf(
  values: Readonly<Record<string, StoredValue>>,
  linked: Readonly<Record<string, Partial<LinkChange>>> = {},
  further: Partial<Changes> = {},
): Changes {
  const links = Object.entries(linked).map(([name, change]): Links => {
    const attribute = article.attributes.get(name) as RelationAttribute;
    return { attribute, replaces: true, disconnect: [], connect: [], ranks: [], ...change };
  });
  return {
    values: new Map(Object.entries({ ...values, updatedAt: at })),
    merges: new Map(),
    links,
    references: { paths: [], remove: [], add: [] },
    uniqueKeys: { paths: [], remove: [], add: [] },
    ...further,
    marks: [...(further.marks ?? []), first, second],
  };
}

const update = (changes: Changes) => ({ kind: 'update', type: article, id: 1, changes }) as const;
const insert = (changes: Changes) => ({ kind: 'insert', type: article, id: 1, changes }) as const;
const toOne: Partial<LinkChange> = { connect: [{ id: 3, position: { at: 'end' } }] };
const places = {
  replaces: false,
  connect: [{ id: 3, position: { at: 'before', id: 2 } }],
} satisfies Partial<LinkChange>;
const component = () =>
  changesOf(
    { title: 'a', links: [{ id: 9, label: 'l' }] },
    {},
    {
      uniqueKeys: { paths: [{ path: 'links', keep: false }], remove: [], add: [{ a: 'links.9.label', k: 'label=l' }] },
    },
  );

/** Attributes whose values or links a write changes, without the time. */
const attributesIn = (write: Write | undefined): readonly string[] => {
  if (write === undefined || !('changes' in write)) return [];
  const { values, links } = write.changes;
  return [...values.keys(), ...links.map(({ attribute }) => attribute.name)].filter(
    (name) => name !== 'updatedAt' && name !== '_pending',
  );
};

describe('before the decision is written what the database can refuse, after it the rest:', () => {
  test.each([
    [
      'an update of values and links, all after it',
      () => update(changesOf({ title: 'a' }, { tags: toOne })),
      false,
      [],
      ['title', 'tags'],
    ],
    [
      'of a unique value',
      () => update(changesOf({ code: 'x', title: 'a' }, { tags: toOne })),
      false,
      ['code'],
      ['title', 'tags'],
    ],
    ['of a unique value in a component', () => update(component()), false, ['links'], ['title']],
    [
      'under a condition, all but the links',
      () => update(changesOf({ title: 'a' }, { tags: toOne, seoCard: toOne })),
      true,
      ['title'],
      ['tags', 'seoCard'],
    ],
    [
      'with a position, which must be there, all before it',
      () => update(changesOf({ title: 'a' }, { tags: places })),
      false,
      ['title', 'tags'],
      [],
    ],
    [
      'a new entry, but for a link that it takes from others',
      () => insert(changesOf({ title: 'a' }, { tags: toOne, seoCard: toOne })),
      false,
      ['title', 'tags'],
      ['seoCard'],
    ],
  ] as const)('%s', (_, write, isConditional, before, after) => {
    const primary = write();
    const early = earlyAttributes(primary, isConditional);
    const step = { primary, early, turn: 'undoable' } as const;
    expect([attributesIn(earlyPart(step)), attributesIn(latePart(step))]).toEqual([before, after]);
  });
});

test('each part has its own mark, the time, and what belongs to its attributes', () => {
  const references = {
    paths: [{ path: 'cover', keep: false }],
    remove: [],
    add: [{ a: 'cover', r: 'plugin::upload.file:7' }],
  };
  const changes = changesOf(
    { code: 'x', cover: 7 },
    {},
    { references, stamps: new Map([['code', 5]]), sets: new Map([['tags', 6]]), marks: [{ a: 'cover', n: 8 }] },
  );
  const step = { primary: update(changes), early: ['code'], turn: 'undoable' } as const;
  expect(earlyPart(step)).toEqual(
    update({
      ...changesOf({ code: 'x', _pending: first.n }, {}, { stamps: new Map([['code', 5]]), sets: new Map() }),
      marks: [first],
    }),
  );
  expect(latePart(step)).toEqual(
    update({
      ...changesOf({ cover: 7 }, {}, { references, stamps: new Map(), sets: new Map([['tags', 6]]) }),
      marks: [{ a: 'cover', n: 8 }, second],
    }),
  );
});

test('the rest of a new entry is an update of it', () => {
  const step = { primary: insert(changesOf({ title: 'a' }, { seoCard: toOne })), early: ['title'], turn: 'undoable' };
  expect(latePart({ ...step, turn: 'undoable' })).toMatchObject({ kind: 'update', id: 1 });
});

test('a delete has one part, at its turn', () => {
  const primary = { kind: 'remove', type: article, id: 1 } as const;
  expect(earlyAttributes(primary, true)).toEqual([]);
  expect(earlyPart({ primary, early: [] })).toBe(primary);
  expect(latePart({ primary, early: [], turn: 'after' })).toBe(primary);
  expect(latePart({ primary, early: [], turn: 'last' })).toBeUndefined();
});

test('records of former versions are written before the decision, with all marks', () => {
  const primary = update(changesOf({ title: 'a' }));
  expect(earlyPart({ primary, early: undefined })).toBe(primary);
  expect(latePart({ primary, early: undefined, turn: 'undoable' })).toBeUndefined();
});
