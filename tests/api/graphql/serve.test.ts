import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { GraphQLError, type GraphQLFormattedError, type ValidationRule } from 'graphql';
import { calls, post, read, useTinyApi } from './tiny-api.js';

const api = useTinyApi();
const ask = (query: string, others: object = {}) => post(api.url, { query, ...others });
const get = async (parameters: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
  read(await fetch(`${api.url}?${new URLSearchParams(parameters).toString()}`, { headers }));

const refuseFail: ValidationRule = (context) => ({
  Field: (node) => {
    if (node.name.value === 'fail') context.reportError(new GraphQLError('fail is out of use'));
  },
});
const shorten = ({ message }: GraphQLFormattedError): object => ({ text: message });

const ofRequest = (message: string) => ({ errors: [{ message, extensions: { code: 'INTERNAL_SERVER_ERROR' } }] });

describe('operations', () => {
  test('are executed with variables, as an object or as JSON', async () => {
    const query = 'query Q($a: Int) { add(a: $a, b: 2) }';
    expect((await ask(query, { variables: { a: 3 } })).body).toEqual({ data: { add: 5 } });
    expect((await ask(query, { variables: '{"a":4}' })).body).toEqual({ data: { add: 6 } });
    for (const others of [{ variables: null }, { extensions: null }]) {
      expect((await ask(query, others)).body).toEqual({ data: { add: 3 } });
    }
  });

  test('are selected by operationName', async () => {
    const query = 'query One { add } query Two { two: add(b: 2) }';
    expect((await ask(query, { operationName: 'Two' })).body).toEqual({ data: { two: 3 } });
    const { status, body } = await ask(query, { operationName: 'Three' });
    expect(status).toBe(400);
    expect(body).toEqual(ofRequest('Unknown operation named "Three".'));
    expect((await ask(query)).body).toEqual(
      ofRequest('Must provide operation name if query contains multiple operations.'),
    );
  });

  test.each([
    ['no query', { variables: {} }, /non-empty `query`/],
    ['null as the query', { query: null }, /non-empty `query`/],
    ['zero as the query', { query: 0 }, /non-empty `query`/],
    ['false as the query', { query: false }, /non-empty `query`/],
    ['an empty query', { query: '' }, /non-empty `query`/],
    ['a number as variables', { query: '{ add }', variables: 5 }, /Variables must be provided as an Object/],
    ['an empty string as variables', { query: '{ add }', variables: '' }, /Variables must be provided as an Object/],
    [
      'a string in JSON as variables',
      { query: '{ add }', variables: '"a"' },
      /Variables must be provided as an Object/,
    ],
    ['an empty name', { query: '{ add }', operationName: '' }, /Unknown operation named ""/],
    ['a number as the name', { query: '{ add }', operationName: 1 }, /Unknown operation named "1"/],
    [
      'an object as the name',
      { query: '{ add }', operationName: { toString: 1 } },
      /Unknown operation named "\[object/,
    ],
  ])('with %s are refused', async (_what, body, message) => {
    const answer = await post(api.url, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(ofRequest(expect.stringMatching(message) as unknown as string));
  });

  test.each([
    ['a list as variables', { variables: [1] }],
    ['a list in JSON as variables', { variables: '[]' }],
    ['a number as extensions', { extensions: 5 }],
    ['a list as extensions', { extensions: [] }],
    ['an empty string as extensions', { extensions: '' }],
  ])('with %s run without any', async (_what, sent) => {
    const query = 'query Add($b: Int = 4) { add(b: $b) }';
    expect((await post(api.url, { query, ...sent })).body).toEqual({ data: { add: 5 } });
  });

  const malformed: readonly (readonly [string, object, RegExp])[] = [
    ['a number as the query', { query: 5 }, /^GraphQL queries must be strings\.$/],
    ['true as the query', { query: true }, /^GraphQL queries must be strings\.$/],
    ['an object as the query', { query: {} }, /^GraphQL queries must be strings\.$/],
    ['a list as the query', { query: ['{ add }'] }, /^GraphQL queries must be strings\.$/],
    ['a parsed query', { query: { kind: 'Document' } }, /^GraphQL queries must be strings\. .*parsed/],
    ['variables that are no JSON', { query: '{ add }', variables: '{' }, /^Variables are invalid JSON\.$/],
    ['extensions that are no JSON', { query: '{ add }', extensions: '{' }, /^Extensions are invalid JSON\.$/],
    ['nothing that is right', { query: 1, variables: '{', extensions: '{' }, /^Extensions/],
  ];

  test.each(malformed)('with %s are refused with a text response, also as a batch', async (_what, body, message) => {
    const before = calls.add;
    for (const sent of [body, [body], [{ query: '{ add }' }, body]]) {
      const { status, headers, text } = await post(api.url, sent);
      expect([status, headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8']);
      expect(text).toMatch(message);
    }
    expect(calls.add).toBe(before);
  });

  test.each([
    ['two queries', 'query={add}&query=x', /strings/],
    ['a list of queries', 'query[]={add}', /strings/],
    ['an object as the query', 'query[a]={add}', /strings/],
    ['variables that are no JSON', 'query={add}&variables=x', /Variables/],
  ])('by GET with %s are refused with a text response', async (_what, parameters, message) => {
    const { status, headers, text } = await read(await fetch(`${api.url}?${parameters}`));
    expect([status, headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8']);
    expect(text).toMatch(message);
  });

  test('without a query in a batch do not prevent the others', async () => {
    const { status, body } = await post(api.url, [{ query: null }, 1, null, { query: '{ add }' }]);
    const none = ofRequest(expect.stringMatching(/non-empty `query`/) as unknown as string);
    expect([status, body]).toEqual([200, [none, none, none, { data: { add: 2 } }]]);
  });

  test('of a type that the schema lacks are refused', async () => {
    const { status, body } = await ask('subscription { x }');
    expect(status).toBe(400);
    expect(body.errors[0]).toEqual({
      message: 'Schema is not configured for subscriptions.',
      locations: [{ line: 1, column: 1 }],
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    });
  });
});

describe('bodies', () => {
  test.each([
    ['an empty object', '{}', 'application/json'],
    ['an empty list', '[]', 'application/json'],
    ['nothing', '', 'application/json'],
    ['text', '{ add }', 'text/plain'],
    ['GraphQL', '{ add }', 'application/graphql'],
    ['a form', 'query=%7Badd%7D', 'application/x-www-form-urlencoded'],
  ])('of %s are refused, and nothing is executed', async (_what, body, type) => {
    const before = calls.add;
    const { status, text } = await post(api.url, body, { 'content-type': type });
    expect(status).toBe(400);
    expect(text).toBe('POST body missing, invalid Content-Type, or JSON object has no keys.');
    expect(calls.add).toBe(before);
  });

  test.each(['application/vnd.api+json', 'application/json-patch+json', 'application/csp-report'])(
    'of the type %s are JSON',
    async (type) => {
      const { body } = await post(api.url, '{ "query": "{ add }" }', { 'content-type': type });
      expect(body).toEqual({ data: { add: 2 } });
    },
  );

  test.each(['null', '1', '"{ add }"', 'true', 'text'])('with the JSON %s are refused like over REST', async (sent) => {
    const { status, body } = await post(api.url, sent);
    const error = { status: 400, name: 'SyntaxError', message: 'invalid JSON, only supports object and array' };
    expect([status, body]).toEqual([400, { data: null, error }]);
  });

  test('with invalid JSON are refused like over REST', async () => {
    const { status, body } = await post(api.url, '{ "query": ');
    expect(status).toBe(400);
    expect(body.error.name).toBe('SyntaxError');
  });

  test('are not read if the credentials are invalid', async () => {
    const { status, body } = await post(api.url, { query: '{ add' }, { authorization: 'Bearer wrong' });
    expect(status).toBe(401);
    expect(body).toEqual({
      data: null,
      error: { status: 401, name: 'UnauthorizedError', message: 'Missing or invalid credentials', details: {} },
    });
  });
});

describe('content types and statuses', () => {
  const [json, graphql] = ['application/json', 'application/graphql-response+json; charset=utf-8'];
  test.each([
    ['*/*', json],
    ['application/*', json],
    ['application/json', json],
    ['application/json; charset=utf-8', 'application/json; charset=utf-8'],
    ['application/json, application/graphql-response+json', json],
    ['application/graphql-response+json', graphql],
    ['application/graphql-response+json, application/json', graphql],
    ['application/json; q=0.9, application/graphql-response+json', graphql],
    ['text/html, */*; q=0.1', json],
  ])('with Accept: %s the response is %s, with 400 if nothing was executed', async (accept, type) => {
    const requests = [
      { query: '{ add }' },
      { query: '{ add' },
      { query: '{ nope }' },
      { query: 'query ($a: Int!) { add(a: $a) }' },
      { query: '{ add }', variables: 5 },
      { query: 'query A { add }', operationName: 'B' },
      { query: '{ fail }' },
      [{ query: '{ add }' }, { query: '{ nope }' }],
    ];
    const responses = await Promise.all(requests.map((sent) => post(api.url, sent, { accept })));
    expect(responses.map(({ status }) => status)).toEqual([200, 400, 400, 400, 400, 400, 200, 200]);
    expect(new Set(responses.map(({ headers }) => headers.get('content-type')))).toEqual(new Set([type]));
  });

  test.each(['text/html', 'text/event-stream', 'application/json; charset=latin1'])(
    'with Accept: %s only, the response is JSON',
    async (accept) => {
      for (const sent of [{ query: '{ add }' }, [{ query: '{ add }' }]]) {
        const { status, text, headers } = await post(api.url, sent, { accept });
        const body: unknown = JSON.parse(text);
        expect([status, [body].flat()]).toEqual([200, [{ data: { add: expect.any(Number) } }]]);
        expect(headers.get('content-type')).toBe('application/json');
      }
    },
  );

  test.each([
    'application/json;',
    'application/json; charset="utf-8"',
    'application/json; profile=x; charset=UTF-8',
    'application/json; charset=utf8',
  ])('bodies with the content type %s are read', async (type) => {
    const { body } = await post(api.url, '{ "query": "{ add }" }', { 'content-type': type });
    expect(body).toEqual({ data: { add: 2 } });
  });
});

describe('errors in the document are reported before errors of the operation', () => {
  test.each([
    ['an unknown operation', { query: '{ nope }', operationName: 'X' }],
    ['no operation', { query: 'fragment F on Query { add }' }],
  ])('%s', async (_what, body) => {
    const { status, body: answer } = await post(api.url, body);
    expect([status, answer.errors[0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
  });

  test('a mutation by GET', async () => {
    const { status, body } = await get({ query: 'mutation { nope }' });
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
  });
});

describe('batches', () => {
  test('return a list in their order, with status 200 even if operations fail', async () => {
    const { status, body } = await post(api.url, [
      { query: '{ add }' },
      { query: '{ nope }' },
      { query: '{ b: add(b: 5) }' },
    ]);
    expect(status).toBe(200);
    expect(body).toEqual([
      { data: { add: 2 } },
      { errors: [expect.objectContaining({ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } })] },
      { data: { b: 6 } },
    ]);
  });

  test('S67: of more than 10 operations are refused', async () => {
    const before = calls.add;
    const { status, body } = await post(
      api.url,
      Array.from({ length: 11 }, () => ({ query: '{ add }' })),
    );
    expect(status).toBe(400);
    expect(body.errors[0].message).toBe('At most 10 operations in one request (batchLimit)');
    expect(calls.add).toBe(before);
  });

  test('share one cost limit: nothing is executed if they exceed it together', async () => {
    const before = calls.add;
    const query = `{ ${Array.from({ length: 30 }, (_none, index) => `a${index}: add`).join(' ')} }`;
    expect((await ask(query)).status).toBe(200);
    const { status, body } = await post(api.url, [{ query }, { query }]);
    expect(status).toBe(400);
    expect(body.errors[0].message).toMatch(/at most 50 \(rootLimit\)/);
    expect(calls.add).toBe(before + 30);
  });
});

describe('methods', () => {
  test('GET executes queries', async () => {
    expect((await get({ query: '{ add }' })).body).toEqual({ data: { add: 2 } });
    const variables = await get({ query: 'query Q($a: Int) { add(a: $a) }', variables: '{"a":8}' });
    expect(variables.body).toEqual({ data: { add: 9 } });
    const none = await read(await fetch(api.url));
    expect([none.status, none.text]).toEqual([400, 'GET query missing.']);
  });

  test('S65: GET refuses mutations', async () => {
    const before = calls.note;
    const { status, body, headers } = await get({ query: 'mutation { note(text: "x") }' });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    expect(body).toEqual(ofRequest('GET supports only query operation'));
    expect(calls.note).toBe(before);
  });

  test.each(['PUT', 'DELETE', 'PATCH'])('%s is not allowed', async (method) => {
    const { status, text, headers } = await read(await fetch(api.url, { method }));
    expect([status, text]).toEqual([405, 'Apollo Server supports only GET/POST requests.']);
    expect(headers.get('allow')).toBe('GET, POST');
  });
});

describe('errors', () => {
  test('of syntax and validation have locations and a code', async () => {
    const syntax = await ask('{ add');
    expect(syntax.status).toBe(400);
    expect(syntax.body).toEqual({
      errors: [
        {
          message: 'Syntax Error: Expected Name, found <EOF>.',
          locations: [{ line: 1, column: 6 }],
          extensions: { code: 'GRAPHQL_PARSE_FAILED' },
        },
      ],
    });
    const validation = await ask('{ nope }');
    expect(validation.status).toBe(400);
    expect(validation.body.errors[0].extensions).toEqual({ code: 'GRAPHQL_VALIDATION_FAILED' });
  });

  test('of variables are BAD_USER_INPUT', async () => {
    const { status, body } = await ask('query Q($a: Int) { add(a: $a) }', { variables: { a: 'x' } });
    expect(status).toBe(400);
    expect(body.data).toBeUndefined();
    expect(body.errors[0].extensions).toEqual({ code: 'BAD_USER_INPUT' });
  });

  test('of the service have name, message, details and code, and no path, as recorded', async () => {
    const { status, body } = await ask('{ add no: fail(how: "forbidden") bad: fail(how: "validation") }');
    expect(status).toBe(200);
    const details = { errors: [{ path: ['a'], message: 'a must be defined.', name: 'ValidationError' }] };
    expect(body).toEqual({
      errors: [
        {
          message: 'Forbidden',
          extensions: {
            error: { name: 'ForbiddenError', message: 'Forbidden', details: {} },
            code: 'FORBIDDEN',
          },
        },
        {
          message: 'a must be defined.',
          extensions: {
            error: { name: 'ValidationError', message: 'a must be defined.', details },
            code: 'BAD_USER_INPUT',
          },
        },
      ],
      data: { add: 2, no: null, bad: null },
    });
  });

  test('that are unexpected are logged completely; the client gets an id', async () => {
    const { status, body, text, headers } = await ask('{ fail }');
    expect(status).toBe(200);
    expect(text).not.toContain('secret');
    expect(body.errors[0]).toEqual({
      message: 'Internal Server Error',
      extensions: {
        error: { name: 'InternalServerError', message: 'Internal Server Error', details: {} },
        code: 'INTERNAL_SERVER_ERROR',
      },
    });
    expect(api.logged).toContainEqual(
      expect.objectContaining({ id: headers.get('x-request-id'), err: new Error('mongodb://user:secret@host') }),
    );
  });
});

test('an error names a non-null field without a value', async () => {
  const { status, body } = await ask('{ me { name nickname } }');
  expect([status, body]).toEqual([
    200,
    {
      errors: [
        {
          message: 'Cannot return null for non-nullable field Person.nickname.',
          locations: [{ line: 1, column: 13 }],
          path: ['me', 'nickname'],
          extensions: { code: 'INTERNAL_SERVER_ERROR' },
        },
      ],
      data: { me: null },
    },
  ]);
});

describe('persisted queries', () => {
  const query = '{ persisted: add(b: 41) }';
  const sha256Hash = createHash('sha256').update(query).digest('hex');
  const extensions = { persistedQuery: { version: 1, sha256Hash } };

  test('are sent once, then by hash', async () => {
    const unknown = await post(api.url, { extensions });
    expect(unknown.status).toBe(200);
    expect(unknown.body.errors[0]).toMatchObject({
      message: 'PersistedQueryNotFound',
      extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
    });
    expect((await post(api.url, { query, extensions })).body).toEqual({ data: { persisted: 42 } });
    expect((await post(api.url, { extensions })).body).toEqual({ data: { persisted: 42 } });
    const get = `${api.url}?extensions=${encodeURIComponent(JSON.stringify(extensions))}`;
    expect((await read(await fetch(get))).body).toEqual({ data: { persisted: 42 } });
  });

  test('must match their hash', async () => {
    const { status, body } = await post(api.url, { query: '{ add }', extensions });
    expect(status).toBe(400);
    expect(body.errors[0].message).toBe('provided sha does not match query');
  });
});

const replace = (): Error => Object.assign(new Error('Hidden'), { extensions: { code: 'HIDDEN' } });

describe('options of Apollo Server', () => {
  const hiding = useTinyApi({ apolloServer: { formatError: replace } });

  const traced = useTinyApi({ apolloServer: { tracing: true, validationRules: [refuseFail], formatError: shorten } });

  test('tracing adds durations', async () => {
    const { body } = await post(traced.url, { query: '{ add }' });
    expect(body.data).toEqual({ add: 2 });
    const { version, duration, validation } = body.extensions.tracing;
    expect(version).toBe(1);
    expect(duration).toBeGreaterThan(validation.duration);
  });

  test('validationRules of the project apply', async () => {
    const { status, body } = await post(traced.url, { query: '{ fail }' });
    expect(status).toBe(400);
    expect(body).toEqual({ errors: [{ text: 'fail is out of use' }] });
  });

  test('formatError changes the response', async () => {
    expect((await post(traced.url, { query: '{ nope }' })).body.errors[0].text).toMatch(/^Cannot query field/);
  });

  test('formatError can return another error, as in the documentation of Apollo Server', async () => {
    const errors = [{ message: 'Hidden', extensions: { code: 'HIDDEN' } }];
    expect((await post(hiding.url, { query: '{ nope }' })).body).toEqual({ errors });
    expect((await post(hiding.url, { query: '{ fail }' })).body).toEqual({ errors, data: { fail: null } });
  });
});
