import { readFile } from 'node:fs/promises';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import type { Registry } from '../../src/content-types/model/types.js';
import { system } from '../../src/documents/caller.js';
import { imposePublicationState } from '../../src/documents/interceptors.js';
import { compileQuery, pipelineOf, plainRead } from '../../src/mongo/compile/read/compile-query.js';
import type { ReadPlan } from '../../src/mongo/compile/plan.js';
import { idCommand } from '../../src/mongo/compile/filter/semi-join.js';
import { loadCorpus, parse } from '../support/golden.js';

/** An example on the page: a query string and its documented result. */
interface Example {
  readonly plural: string;
  readonly query: string;
  /** The title of the table's column, or `Statements`. */
  readonly columnName: string;
  readonly text: string;
  readonly section: string;
}

/** The part of a plan in each column. */
const columns: Readonly<Record<string, (plan: ReadPlan) => unknown>> = {
  Condition: ({ count }) => count.filter,
  Order: ({ main }) => main.order,
  Projection: ({ main }) => main.project[0]?.['$project'],
  Slice: ({ main: { start, limit } }) => ({ skip: start, limit }),
  Statements: statementsOf,
};
const REFUSED = 'Refused with';
const isRefused = ({ columnName }: Example): boolean => columnName === REFUSED;

/** The commands in order. The ids from read number n are `{ $ids: n }` in later commands. */
function statementsOf({ before, main }: ReadPlan): readonly unknown[] {
  const { filter, ...options } = plainRead(main) ?? {};
  const page = filter === undefined ? [pipelineOf(main)] : [filter, options];
  return [...before.map(statementOf), [main.collection, ...page]];
}

function statementOf({ collection, pipeline }: ReadPlan['before'][number]): readonly unknown[] {
  const command = idCommand(collection, pipeline);
  return 'find' in command
    ? [collection, command.filter, { projection: command.projection }]
    : [collection, command.pipeline];
}

/** The statements of code for the MongoDB shell, in the form of `statementsOf`. */
function run(code: string): readonly unknown[] {
  const statements: unknown[] = [];
  const collection = (name: string): object => {
    const note = (...values: readonly unknown[]): object => ({ $ids: statements.push([name, ...values]) - 1 });
    return { aggregate: note, find: note };
  };
  const db = new Proxy({}, { get: (_, name) => collection(String(name)) });
  runInContext(code, createContext({ db }));
  return statements;
}

const evaluate = (text: string): unknown => runInContext(`(${text})`, createContext({}));

/** Includes the order of keys, which matters in sorts. */
const print = (value: unknown): string =>
  JSON.stringify(
    value,
    function (this: Readonly<Record<string, unknown>>, key, one: unknown) {
      if (typeof one === 'bigint') return `${one}n`;
      return Object.prototype.toString.call(this[key]) === '[object Date]' ? `Date ${String(one)}` : one;
    },
    2,
  );

/** Every row of a table under a `GET` column, and every `GET` with the code block after it. */
function examplesIn(page: string): readonly Example[] {
  const examples: Example[] = [];
  let section = '';
  let table: Pick<Example, 'plural' | 'columnName'> | undefined;
  for (const part of page.split('\n')) {
    section = /^## (.+)/.exec(part)?.[1] ?? section;
    const [, , request = '', columnName = ''] = part.startsWith('|') ? part.split('|').map((cell) => cell.trim()) : [];
    const plural = /^`GET \/api\/([a-z-]+)\?`$/.exec(request)?.[1];
    if (plural !== undefined) table = { plural, columnName };
    else if (table !== undefined && request.startsWith('`')) {
      const text = columnName.startsWith('`') ? columnName.slice(1, -1) : columnName;
      examples.push({ ...table, section, query: request.slice(1, -1), text });
    }
  }
  const blocks = page.matchAll(/```http\nGET \/api\/([a-z-]+)\?(.+)\n```\n\n```js\n([^`]+)```/g);
  for (const { 1: plural = '', 2: query = '', 3: text = '', index } of blocks) {
    const section = /^## (.+)$/m.exec(page.slice(page.lastIndexOf('\n## ', index)))?.[1] ?? '';
    examples.push({ plural, query, text, columnName: 'Statements', section });
  }
  return examples;
}

/** Interceptors run only for the section on publication state. */
function planOf({ plural, query, section }: Example, { contentTypes }: Registry): ReadPlan {
  const type = [...contentTypes.values()].find(({ pluralName }) => pluralName === plural);
  if (type === undefined) throw new Error(`There are no ${plural}`);
  const parsed = parse(query, type);
  const isImposed = section === 'Publication state';
  return compileQuery(isImposed ? imposePublicationState(parsed, { action: 'find', caller: system }) : parsed);
}

describe('docs/queries.md and docs/internals/compiled-queries.md', () => {
  const registry = loadCorpus();
  const reading = readFile('docs/internals/compiled-queries.md', 'utf8');
  const readingForUsers = readFile('docs/queries.md', 'utf8');

  test('shows the correct pipeline for every query string', async () => {
    const examples = [...examplesIn(await reading), ...examplesIn(await readingForUsers).filter(isRefused)];
    expect(examples.length).toBeGreaterThan(35);
    for (const example of examples) {
      const { query, columnName, text } = example;
      if (columnName === REFUSED) {
        const linked = await registry;
        expect(() => planOf(example, linked)).toThrow(new Error(text));
        continue;
      }
      const column = columns[columnName];
      if (column === undefined) throw new Error(`unknown column "${columnName}"`);
      const documented = columnName === 'Statements' ? run(text) : evaluate(text);
      expect(`${query}\n${print(column(planOf(example, await registry)))}`).toBe(`${query}\n${print(documented)}`);
    }
  });

  test('shows users every operator, in requests that compile', async () => {
    const { operators } = await import('../../src/query/operators.js');
    const page = await readingForUsers;
    const blocks = [...page.matchAll(/^GET \/api\/([a-z-]+)\?(.+)$/gm)].map(([, plural = '', query = '']) => ({
      plural,
      query,
      columnName: 'Statements',
      text: '',
      section: '',
    }));
    const shown = [...examplesIn(page).filter((example) => !isRefused(example)), ...blocks];
    const linked = await registry;
    for (const example of shown) expect(() => planOf(example, linked)).not.toThrow();
    const missing = Object.keys(operators).filter((name) => !shown.some(({ query }) => query.includes(`[${name}]`)));
    expect(missing).toEqual([]);
  });

  test('has a result for every request', async () => {
    const page = await reading;
    const blocks = examplesIn(page).filter(({ columnName }) => columnName === 'Statements');
    expect(page.match(/^GET /gm)).toHaveLength(blocks.length);
  });
});
