import { describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import type { AttributeDefinition } from '../../../../src/content-types/model/definition.js';
import { link } from '../../../../src/content-types/link/link.js';
import { compile, typeOf } from '../../../support/golden.js';
import { component, contentType, define } from '../../content-types/define.js';

const text = { type: 'string' } as const;
const to = (relation: string, name: string): AttributeDefinition => ({
  type: 'relation',
  relation,
  target: `api::${name}.${name}`,
});
const secret = { type: 'string', private: true } as const;

/** The stages of a list of pages; every other type differs from `plain` in one thing. */
function stagesOf(query: string): readonly Document[] {
  const registry = link(
    define(
      component('part.plain', { label: text }),
      component('part.secret', { label: text, code: secret }),
      component('part.one', { source: to('oneToOne', 'plain') }),
      component('part.other', { source: to('oneToOne', 'many'), target: to('oneToOne', 'plain') }),
      contentType('plain', { name: text, next: to('oneToOne', 'plain') }),
      contentType('hidden', { name: text, code: secret }),
      contentType('many', { name: text, all: to('oneToMany', 'plain') }),
      contentType('part', { name: text, part: { type: 'component', component: 'part.plain' } }),
      contentType('page', {
        plain: to('oneToOne', 'plain'),
        hidden: to('oneToOne', 'hidden'),
        many: to('oneToOne', 'many'),
        part: to('oneToOne', 'part'),
        own: { type: 'component', component: 'part.plain', repeatable: true },
        closed: { type: 'component', component: 'part.secret' },
        zone: { type: 'dynamiczone', components: ['part.one', 'part.other'] },
      }),
    ),
  );
  const { main } = compile(query, typeOf(registry, 'page'));
  return [...main.project, ...main.lookups];
}

const lookUp = (query: string): Document =>
  stagesOf(query).find((stage) => '$lookup' in stage)?.['$lookup'] as Document;

describe('a selection of all attributes', () => {
  test('is read without a projection', () => {
    expect(lookUp('populate=plain')).toEqual({
      from: 'plain',
      localField: 'page.plain',
      foreignField: '_id',
      as: 'r0',
    });
    expect(lookUp('populate[part][populate]=part')).not.toHaveProperty('pipeline');
    expect(lookUp('populate[many][populate]=all')).not.toHaveProperty('pipeline');
    expect(stagesOf('fields[0]=id&populate=own')[0]).toEqual({ $project: { own: 1 } });
  });

  test.each([
    ['populate=hidden', 'a private value'],
    ['populate=many', 'a list of ids'],
    ['populate=part', 'a component'],
    ['populate[plain][fields][0]=id', 'a field'],
  ])('%s needs a projection: it lacks %s', (query) => {
    expect(lookUp(query)['pipeline']).toEqual([{ $project: expect.any(Object) }]);
  });

  test('omits private attributes of components', () => {
    expect(stagesOf('fields[0]=id&populate=closed')[0]).toEqual({ $project: { 'closed.id': 1, 'closed.label': 1 } });
  });
});

describe('a relation in a dynamic zone', () => {
  test('is looked up by a path if only one component has an attribute of its name', () => {
    const query = 'populate[zone][on][part.other][populate]=target';
    expect(lookUp(query)['localField']).toBe('page.zone.target');
  });

  test('otherwise is looked up in the collected components of its type', () => {
    const stages = stagesOf('populate[zone][on][part.one][populate]=source');
    expect(JSON.stringify(stages)).toContain('{"$eq":["$$component.__component","part.one"]}');
    expect(lookUp('populate[zone][on][part.one][populate]=source')['localField']).toBe('l0.source');
  });
});
