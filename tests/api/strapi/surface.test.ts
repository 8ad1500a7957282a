import fs from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findUses } from '../../../src/strapi/project/find-uses.js';
import { openProjectFolder, type RunningProject } from './project-folder.js';
import { surfaceProject } from './surface-project.js';

const linesOf = (name: string): readonly string[] =>
  fs.readFileSync(`tests/fixtures/${name}.txt`, 'utf8').trim().split('\n');

/** An expression with the state of each of its members here. */
type Verdict = readonly [expression: string, members: readonly (readonly [name: string, verdict: string])[]];

let running: RunningProject;
beforeAll(async () => {
  running = await openProjectFolder(surfaceProject);
});
afterAll(async () => running.stop());

/** Runs the code of the project. */
async function ask<T>(body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const response = await running.fetch('/api/walk/1?a=1', { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as T;
}

test('each member of what Strapi 4.26.2 gives to code is there, throws its name and is told by inspect, or is of the admin panel', async () => {
  // Of a running server: an expression and its members, functions with their arity.
  const lines = linesOf('strapi-surface');
  const graphql = await running.send('POST', '/graphql', { query: '{ capturing }' });
  expect(graphql.body).toEqual({ data: { capturing: 'x' } });
  const verdicts = await ask<readonly Verdict[]>({ lines });
  const all = verdicts.flatMap(([expression, members]) =>
    members.map(([name, verdict]) => ({
      name: /^\w+$/.test(name) ? `${expression}.${name}` : `${expression}['${name}']`,
      verdict,
    })),
  );
  const [others, named] = [new Set(['there', 'other arity', 'panel']), /is not supported|not available|not there/];
  const refused = all.filter(({ verdict }) => named.test(verdict));
  expect(all.filter(({ verdict }) => !others.has(verdict) && !named.test(verdict))).toEqual([]);
  expect(
    refused.filter(({ name }) => findUses(`${name.replace(/^utils/, "require('@strapi/utils')")}()`).length === 0),
  ).toEqual([]);
  const count = (wanted: string): number => all.filter(({ verdict }) => verdict === wanted).length;
  expect({
    there: count('there'),
    otherArity: count('other arity'),
    refused: refused.length,
    panel: count('panel'),
  }).toEqual({
    there: 1503,
    // What takes the rest of its arguments, or parameters with defaults, and what has no effect.
    otherArity: 157,
    refused: 414,
    panel: 138,
  });
});

test('what code calls answers as in Strapi 4.26.2, or otherwise for a reason', async () => {
  // Of a running server, in this order: an expression, its answer, and, if it is another here, that and the reason.
  const rows = linesOf('strapi-answers').map((line) => line.split('\t'));
  const answers = await ask<readonly string[]>({ expressions: rows.map(([expression]) => expression) });
  expect(rows.map(([expression], index) => [expression, answers[index]])).toEqual(
    rows.map(([expression, recorded, here = recorded]) => [expression, here]),
  );
  expect(rows.filter(([, , here, reason]) => here !== undefined && reason === undefined)).toEqual([]);
});
