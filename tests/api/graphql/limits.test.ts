import { describe, expect, test } from '@jest/globals';
import { calls, post, useTinyApi, type TinyAnswer } from './tiny-api.js';

/**
 * The parts of the security checklist about GraphQL, and queries made to hurt. How long they take is in
 * docs/graphql.md.
 */
const api = useTinyApi();
const hidden = useTinyApi({ apolloServer: { introspection: false } });
const strict = useTinyApi({ depthLimit: 2, aliasLimit: 1, tokenLimit: 100, costLimit: 8, rootLimit: 2, batchLimit: 1 });
const careful = useTinyApi({ apolloServer: { csrfPrevention: true } });

const ask = (query: string) => post(api.url, { query });

/** The body of a small response with the error that nothing was executed. */
async function refusal(sending: () => Promise<TinyAnswer>): Promise<string> {
  const before = calls.add;
  const { status, body, text } = await sending();
  expect([400, 413]).toContain(status);
  expect(text.length).toBeLessThan(10_000);
  expect(body.data ?? null).toBeNull();
  expect(calls.add).toBe(before);
  return text;
}

const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_none, index) => part(index)).join(' ');
const nest = (levels: number): string =>
  `${'{ me '.repeat(1)}${'{ friend '.repeat(levels)}{ name }${' }'.repeat(levels + 1)}`;

describe('hostile documents', () => {
  test.each([
    ['S68: 50 levels deep', nest(50), /'' exceeds maximum operation depth of 30/],
    // Whether the parser's calls fit on the stack depends on how far they are compiled.
    ['S68: 3,000 levels deep', nest(3000), /tokens|too deep|exceeds maximum operation depth/],
    [
      '50 levels deep, beside another query',
      `query A { me { name } } query B ${nest(50)}`,
      /'B' exceeds maximum operation depth of 30/,
    ],
    ['braces without end', '{me'.repeat(100_000), /tokens|too deep/],
    ['lists without end', `{ texts(of: ${'['.repeat(100_000)}`, /tokens|too deep/],
    ['S67: 1,000 aliases', `{ ${times(1000, (index) => `a${index}: add`)} }`, /at most 200 \(aliasLimit\)/],
    ['200 queries at once', `{ ${times(200, (index) => `a${index}: add`)} }`, /at most 50 \(rootLimit\)/],
    [
      'circular fragments',
      '{ ...A } fragment A on Query { add ...B } fragment B on Query { ...A }',
      /Cannot spread fragment .* within itself/,
    ],
    ['a fragment within itself', '{ ...A } fragment A on Query { me { friend { name } } ...A }', /within itself/],
    ['1,000 fragments', `{ add } ${times(1000, (index) => `fragment F${index} on Query { add }`)}`, /at most 250/],
    [
      'S69: 25 fragments, each spreading the one before twice',
      `{ ...F25 } ${times(25, (index) => `fragment F${index + 1} on Query { ...F${index} ...F${index} }`)} fragment F0 on Query { a: add }`,
      /aliasLimit/,
    ],
    [
      'a fragment of 28 aliases spread 165 times',
      `{ me { ${times(165, (index) => `d${index}: friend { ...F }`)} } } fragment F on Person { ${times(28, (index) => `a${index}: name`)} }`,
      /aliasLimit/,
    ],
    ['S70: 5,000 unknown directives', `{ add ${'@x '.repeat(5000)} }`, /tokens/],
    ['4,000 unknown directives', `{ add ${'@x '.repeat(4000)} }`, /Too many validation errors/],
    ['S70: one field 10,000 times', `{ ${'add '.repeat(10_000)} }`, /tokens/],
    ['one field 3,000 times', `{ ${'add '.repeat(3000)} }`, /rootLimit|at most 20 times/],
    ['one field in 3,000 inline fragments', `{ me { ${'... { name } '.repeat(1500)} } }`, /at most 20 times/],
    ['3,000 unknown fields', `{ me { ${times(3000, (index) => `x${index}`)} } }`, /Too many validation errors/],
    ['a name of 900 kB', `{ ${'x'.repeat(900_000)} }`, /Cannot query field/],
    ['a string of 900 kB for a number', `{ add(a: "${'x'.repeat(900_000)}") }`, /Int cannot represent/],
    ['900 kB of fields', `{ ${times(150_000, (index) => `x${index}`)} }`.slice(0, 900_000), /tokens/],
    ['S70: 1 MB', `{ ${'add '.repeat(2 ** 18)} }`, /Payload Too Large/],
  ])('%s', async (_name, query, message) => {
    expect(await refusal(() => ask(query))).toMatch(message);
  });

  test('variables nested 100,000 deep', async () => {
    const variables = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const body = `{"query":"query Q($of: [Pair]) { texts(of: $of) }","variables":{"of":${variables}}}`;
    expect(await refusal(() => post(api.url, body))).toMatch(/nests too deep/);
  });

  test('variables nested 2,000 deep, as a document is', async () => {
    const variables = { of: Array.from({ length: 2000 }).reduce<unknown>((a) => ({ a }), 1) };
    const { status, body } = await post(api.url, { query: 'query Q($of: [Pair]) { texts(of: $of) }', variables });
    expect(status).toBe(400);
    const extensions = { code: 'GRAPHQL_PARSE_FAILED' };
    expect(body.errors).toEqual([{ message: 'The query nests too deep', extensions }]);
  });

  test.each([
    [4000, /error limit reached/],
    [100_000, /at most 10000 names and elements of lists \(variableLimit\)/],
  ])('%d wrong variables', async (count, message) => {
    const of = Array.from({ length: count }, () => ({ two: 1 }));
    expect(
      await refusal(() => post(api.url, { query: 'query Q($of: [Pair]) { texts(of: $of) }', variables: { of } })),
    ).toMatch(message);
  });

  test('60,000 names that an input lacks', async () => {
    const of = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`name${index}`, 1]));
    expect(
      await refusal(() => post(api.url, { query: 'query Q($of: [Pair]) { texts(of: $of) }', variables: { of } })),
    ).toMatch(/variableLimit/);
  });

  test('introspection nested in introspection', async () => {
    const within = (levels: number): string => `{ fields { type ${levels === 0 ? '{ name }' : within(levels - 1)} } }`;
    expect(await refusal(() => ask(`{ __schema { types ${within(3)} } }`))).toMatch(/introspection depth/);
    const ofType = `{ __schema { types { fields { type ${'{ ofType '.repeat(30)}{ name }${' }'.repeat(30)} } } } }`;
    expect(await refusal(() => ask(ofType))).toMatch(/at most 20 levels of the schema/);
  });
});

describe('limits', () => {
  const limited = (query: string) => post(strict.url, { query });
  test.each([
    ['{ me { friend { friend { name } } } }', "'' exceeds maximum operation depth of 2"],
    ['{ a: add b: add }', '(aliasLimit)'],
    ['{ add me { name } a: add }', '(rootLimit)'],
    ['{ me { name friend { name } friends { name } } me { friends { name } } }', '(costLimit)'],
  ])('%s is refused: %s', async (query, message) => {
    const { status, body } = await limited(query);
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { message: expect.stringContaining(message), extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
    ]);
  });

  test('depth starts at 0, and fragments do not hide depth', async () => {
    expect((await limited('{ me { friend { name } } }')).status).toBe(200);
    const query = '{ me { ...F } } fragment F on Person { friend { ... { friends { name } } } }';
    expect((await limited(query)).body.errors[0].message).toMatch(/exceeds maximum operation depth of 2/);
  });

  test('introspection by the playground is exempt from depthLimit', async () => {
    const query = '{ __schema { types { fields { type { ofType { name } } } } } }';
    expect((await post(strict.url, { query })).status).toBe(200);
  });
});

describe('S71: without introspection', () => {
  test.each(['{ __schema { types { name } } }', '{ __type(name: "Person") { name } }'])(
    '%s is refused',
    async (query) => {
      const { status, text } = await post(hidden.url, { query });
      expect(status).toBe(400);
      expect(text).not.toContain('Person!');
    },
  );

  test('errors contain no suggestions', async () => {
    const field = await post(hidden.url, { query: '{ ad }' });
    expect(field.text).not.toMatch(/Did you mean/);
    const variable = await post(hidden.url, {
      query: 'query Q($of: [Pair]) { texts(of: $of) }',
      variables: { of: [{ one: 1, othr: 2 }] },
    });
    expect(variable.status).toBe(400);
    expect(variable.text).not.toMatch(/Did you mean|other/);
    expect((await post(hidden.url, { query: '{ __typename }' })).status).toBe(200);
  });
});

describe('S66: requests that a page of another site can send', () => {
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'with the content type %s execute nothing',
    async (type) => {
      const before = calls.note;
      const body = JSON.stringify({ query: 'mutation { note(text: "x") }' });
      expect((await post(api.url, body, { 'content-type': type })).status).toBe(400);
      expect(calls.note).toBe(before);
    },
  );

  test('by GET need a header if csrfPrevention is set', async () => {
    const url = `${careful.url}?query=${encodeURIComponent('{ add }')}`;
    expect((await fetch(url)).status).toBe(400);
    expect((await fetch(url, { headers: { 'apollo-require-preflight': '1' } })).status).toBe(200);
    expect((await fetch(url, { headers: { authorization: 'Bearer right' } })).status).toBe(200);
  });
});
