import fs from 'node:fs';
import { expect, test } from '@jest/globals';
import { findUses } from '../../../src/strapi/project/find-uses.js';
import { openProjectFolder } from './project-folder.js';
import { surfaceProject } from './surface-project.js';

/** An expression with the state of each of its members here. */
type Verdict = readonly [expression: string, members: readonly (readonly [name: string, verdict: string])[]];

test('each member of what Strapi 4.26.2 gives to code is there, throws its name and is told by inspect, or is of the admin panel', async () => {
  // Of a running server: an expression and its members, functions with their arity.
  const lines = fs.readFileSync('tests/fixtures/strapi-surface.txt', 'utf8').trim().split('\n');
  const running = await openProjectFolder(surfaceProject);
  try {
    const graphql = await running.send('POST', '/graphql', { query: '{ capturing }' });
    expect(graphql.body).toEqual({ data: { capturing: 'x' } });
    const response = await running.fetch('/api/walk/1?a=1', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ lines }),
    });
    const verdicts = (await response.json()) as readonly Verdict[];
    const all = verdicts.flatMap(([expression, members]) =>
      members.map(([name, verdict]) => ({
        name: /^\w+$/.test(name) ? `${expression}.${name}` : `${expression}['${name}']`,
        verdict,
      })),
    );
    const [others, named] = [new Set(['there', 'panel']), /is not supported|not available|not there/];
    const refused = all.filter(({ verdict }) => named.test(verdict));
    expect(all.filter(({ verdict }) => !others.has(verdict) && !named.test(verdict))).toEqual([]);
    expect(
      refused.filter(({ name }) => findUses(`${name.replace(/^utils/, "require('@strapi/utils')")}()`).length === 0),
    ).toEqual([]);
    const count = (wanted: string): number => all.filter(({ verdict }) => verdict === wanted).length;
    expect({ there: count('there'), refused: refused.length, panel: count('panel') }).toEqual({
      there: 1624,
      refused: 445,
      panel: 143,
    });
  } finally {
    await running.stop();
  }
});
