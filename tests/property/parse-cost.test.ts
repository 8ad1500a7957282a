import { expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import { link } from '../../src/content-types/link/link.js';
import type { Attribute, Component, ContentType } from '../../src/content-types/model/types.js';
import { AppError } from '../../src/errors/app-error.js';
import { parse } from '../support/golden.js';
import { scaled } from '../support/scaled.js';

/** The longest query string that the service reads is not much longer. */
const LONGEST = 16_384;

/**
 * How often a query may look at an attribute while it is parsed or refused: all take less than 50 ms and 20 MB then.
 * The ways through a zone and a morph relation that lead back multiply at each level, so without a bound there are more
 * than can be counted.
 */
const MOST_STEPS = 100_000;

/**
 * A page has a zone and a morph relation, and all that they lead to has attributes of the same names that lead back to
 * pages.
 */
const components = Array.from({ length: 6 }, (_, index) => `blocks.block${index}`);
const shared = {
  title: { type: 'string' },
  page: { type: 'relation', relation: 'oneToOne', target: 'api::page.page' },
  pages: { type: 'relation', relation: 'oneToMany', target: 'api::page.page' },
  items: { type: 'relation', relation: 'morphToMany' },
};
const names = ['page', 'topic', 'place'];
const registry = link({
  contentTypes: names.map((name) => ({
    uid: `api::${name}.${name}`,
    file: `${name}.json`,
    text: '',
    definition: {
      kind: 'collectionType',
      collectionName: `${name}s`,
      info: { singularName: name, pluralName: `${name}s`, displayName: name },
      attributes: { ...shared, blocks: { type: 'dynamiczone', components } },
    },
  })),
  components: components.map((uid) => ({
    uid,
    file: `${uid}.json`,
    text: '',
    definition: { collectionName: uid.replace('.', '_'), info: { displayName: uid }, attributes: shared },
  })),
} as never);

let steps = 0;

/** Counts each look at an attribute, and ends a parser that does not stop. */
function countSteps({ attributes }: ContentType | Component): void {
  const count = (more: number): void => {
    steps += more;
    if (steps > MOST_STEPS) throw new Error(`More than ${MOST_STEPS} steps`);
  };
  const { get, values, keys } = attributes;
  Object.assign(attributes, {
    get: (name: string): Attribute | undefined => {
      count(1);
      return get.call(attributes, name);
    },
    values: () => {
      count(attributes.size);
      return values.call(attributes);
    },
    keys: () => {
      count(attributes.size);
      return keys.call(attributes);
    },
  });
}
for (const model of [...registry.contentTypes.values(), ...registry.components.values()]) countSteps(model);

const page = registry.contentTypes.get('api::page.page') as ContentType;

/** Steps to parse a query string, or to refuse it. */
function stepsOf(query: string): number {
  if (query.length > LONGEST) throw new Error(`${query.length} characters`);
  steps = 0;
  try {
    parse(query, page);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  return steps;
}

const repeat = (part: string, times: number): string => part.repeat(times);
const fill = (prefix: string, part: string): string => prefix + part.repeat((LONGEST - prefix.length) / part.length);
const zones = (times: number): string => `populate[blocks]${repeat('[populate][page][populate][blocks]', times)}`;

test.each([
  ['zones behind zones', zones(14)],
  ['as many zones as there is space for', zones(90)],
  ['zones behind zones by name', fill('populate=', 'blocks.page.').slice(0, 800)],
  [
    'lists of names',
    `populate[0]=${repeat('blocks.page.', 30)}blocks&populate[1]=${repeat('blocks.pages.', 30)}blocks`,
  ],
  ['morphs behind morphs', `populate[items]${repeat('[populate][items]', 180)}`],
  ['several ways', [zones(12), `populate[items]${repeat('[populate][items]', 40)}`].join('&')],
  ['everything behind each', `${zones(30)}[populate]=*`],
  ['long sorts behind zones', fill(`${zones(5)}[populate][page][sort]=`, 'title,')],
  ['long sorts of all types', fill(`${zones(5)}[populate][items][sort]=`, 'title,')],
  ['long names behind zones', fill(`${zones(5)}[populate]=`, 'x,')],
  ['many names behind zones', fill(`${zones(5)}[populate]=`, 'items,')],
])('%s are parsed or refused in few steps', (_, query) => {
  expect(stepsOf(query)).toBeLessThan(MOST_STEPS);
});

const path = fc
  .array(fc.constantFrom('blocks', 'page', 'pages', 'items', 'on'), { minLength: 1, maxLength: 60, size: 'max' })
  .map((attributes) =>
    attributes
      .map((name) => `[populate][${name}]`)
      .join('')
      .replace('[populate]', 'populate'),
  );
const end = fc.constantFrom(
  '', '=*', '=true', '=blocks.page.blocks.page', '[populate]=*', '[populate]=blocks,items', '[populate][0]=page.blocks', '[fields]=title',
  '[sort]=title:desc', '[filters][title]=a', '[filters][id][$in][0]=1', '[on][blocks.block1][populate][page][populate]=*', '[count]=true',
); // prettier-ignore
const query = fc
  .array(fc.tuple(path, end), { minLength: 1, maxLength: 40, size: 'max' })
  .map((parameters) => parameters.map(([name, last]) => name + last).join('&'))
  .filter(({ length }) => length <= LONGEST);

test('S32: no query takes many steps', () => {
  fc.assert(
    fc.property(query, (text) => expect(stepsOf(text)).toBeLessThan(MOST_STEPS)),
    {
      numRuns: scaled(300, 20_000),
    },
  );
});
