import { expect, test } from '@jest/globals';
import { link } from '../../../src/content-types/link/link.js';
import type { ContentType } from '../../../src/content-types/model/types.js';
import { exampleData } from '../src/describe.js';
import { component, contentType, define } from '../../../tests/unit/content-types/define.js';

test('an example keeps the rules of its attributes', () => {
  const { contentTypes } = link(
    define(
      contentType('thing', {
        long: { type: 'string', minLength: 6 },
        short: { type: 'string', maxLength: 2 },
        matched: { type: 'string', regex: '^x' },
        positive: { type: 'integer', min: 5 },
        negative: { type: 'decimal', max: -1.5 },
        chosen: { type: 'enumeration', enum: ['a', 'b'], default: 'b' },
        fixed: { type: 'string', writable: false },
        other: { type: 'relation', relation: 'oneToOne', target: 'api::thing.thing' },
        tree: { type: 'component', component: 'shared.tree' },
        rows: { type: 'component', component: 'shared.leaf', repeatable: true, min: 2 },
        zone: { type: 'dynamiczone', components: ['shared.leaf', 'shared.tree'], max: 1 },
      }),
      component('shared.leaf', { text: { type: 'string' } }),
      component('shared.tree', {
        text: { type: 'string' },
        branch: { type: 'component', component: 'shared.leaf' },
      }),
    ),
  );
  const text = { text: 'Text' };
  const { publishedAt: _, ...example } = exampleData(contentTypes.get('api::thing.thing') as ContentType);
  expect(example).toEqual({
    long: 'Text--',
    short: 'Te',
    positive: 5,
    negative: -1.5,
    chosen: 'b',
    tree: { ...text, branch: text },
    rows: [text, text],
    zone: [{ __component: 'shared.leaf', ...text }],
  });
});
