import { expect, test } from '@jest/globals';
import { drawDiagram, relationsOf } from '../../src/browser/model/builder/diagram.js';
import {
  byCategory,
  rulesOf,
  usesOf,
  type AttributeDefinition,
  type DefinedModel,
} from '../../src/browser/model/builder/models.js';

const model = (uid: string, attributes: Readonly<Record<string, AttributeDefinition>>): DefinedModel => ({
  uid,
  definition: { info: {}, attributes },
});
const relation = (target: string, options: object = {}): AttributeDefinition => ({
  type: 'relation',
  target,
  ...options,
});

const models = [
  model('shared.seo', {}),
  model('api::article.article', {
    author: relation('api::author.author', { relation: 'manyToOne', inversedBy: 'articles' }),
    related: relation('api::article.article', { relation: 'oneToMany' }),
    editor: relation('plugin::users-permissions.user', { relation: 'oneToOne' }),
    seo: { type: 'component', component: 'shared.seo' },
    blocks: { type: 'dynamiczone', components: ['shared.seo', 'shared.quote'] },
  }),
  model('api::author.author', { articles: relation('api::article.article', { mappedBy: 'author' }) }),
  model('api::tag.tag', {}),
];

test('a diagram has a line for each relation, once for its two sides', () => {
  expect(relationsOf(models)).toEqual([
    { from: 'api::article.article', to: 'api::author.author', label: 'author ↔ articles' },
    { from: 'api::article.article', to: 'api::article.article', label: 'related' },
  ]);
});

test('boxes of a diagram do not overlap, and lie within it', () => {
  const many = Array.from({ length: 30 }, (_, at) =>
    model(`api::t${at}.t${at}`, at % 3 === 0 ? {} : { other: relation(`api::t${(at * 7) % 30}.t${(at * 7) % 30}`) }),
  );
  const { boxes, lines, width, height } = drawDiagram([...models, ...many]);
  expect(boxes.length).toBe(33);
  expect(lines.length).toBe(22);
  const overlaps = boxes.filter((box) =>
    boxes.some((other) => other !== box && Math.abs(other.x - box.x) < 180 && Math.abs(other.y - box.y) < 64),
  );
  expect(overlaps).toEqual([]);
  expect(boxes.filter(({ x, y }) => x < 0 || y < 0 || x + 180 > width || y + 64 > height)).toEqual([]);
});

test('rules are those that are set, and uses those attributes that lead to a model', () => {
  expect(
    rulesOf({ type: 'string', required: true, unique: false, maxLength: 9, default: 'a', enum: ['a', 'b'] }),
  ).toEqual([
    ['required', ''],
    ['maxLength', '9'],
    ['default', 'a'],
    ['enum', 'a, b'],
  ]);
  expect(rulesOf({ type: 'boolean', default: false, unique: false })).toEqual([['default', 'false']]);
  expect(usesOf(models, 'shared.seo').map(({ model: { uid }, name }) => [uid, name])).toEqual([
    ['api::article.article', 'seo'],
    ['api::article.article', 'blocks'],
  ]);
});

test('components are listed by their categories, which two of them with the same name differ by', () => {
  const named = (uid: string, displayName: string): DefinedModel => ({
    uid,
    definition: { info: { displayName }, attributes: {} },
  });
  const components = [
    named('shared.seo', 'SEO'),
    named('links.link', 'Link'),
    named('menus.link', 'Link'),
    named('links.button', 'Button'),
  ];
  expect(byCategory(components).map(({ uid }) => uid)).toEqual([
    'links.button',
    'links.link',
    'menus.link',
    'shared.seo',
  ]);
});
