import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from '@jest/globals';
import { makeExecutableSchema } from '@graphql-tools/schema';
import express from 'express';
import type { GraphQLSchema } from 'graphql';
import { createResponseBudget } from '../../../src/documents/response/response-body.js';
import { AppError } from '../../../src/errors/app-error.js';
import { createExecute } from '../../../src/graphql/execute/execute.js';
import { createQueryDocuments } from '../../../src/graphql/http/query-documents.js';
import { createFormatErrors } from '../../../src/graphql/http/format-errors.js';
import { createRefuseVariables } from '../../../src/graphql/http/count-variables.js';
import { openDataCount } from '../../../src/documents/input/data-bounds.js';
import { createRespond } from '../../../src/graphql/http/respond.js';
import { serveGraphql } from '../../../src/graphql/http/serve.js';
import { parseSettings } from '../../../src/graphql/settings.js';
import { strapiState } from '../../../src/graphql/create-server.js';
import { respondToErrors } from '../../../src/rest/response/error-response.js';
import { createResponses } from '../../../src/rest/response/json-response.js';
import { createBodies } from '../../../src/plugins/contract/http/receive-bodies.js';

/** How often each field of the tiny schema was resolved. */
export const calls = { add: 0, note: 0 };

const schema: GraphQLSchema = makeExecutableSchema({
  typeDefs: `
    type Query { add(a: Int = 1, b: Int = 1): Int, me: Person, fail(how: String): Int, texts(of: [Pair]): String }
    type Mutation { note(text: String): String }
    type Person { name: String, nickname: String!, friend: Person, friends(limit: Int): [Person!] }
    input Pair { one: Int!, other: Int }
  `,
  resolvers: {
    Query: {
      add: (_root, { a, b }: { a: number; b: number }) => {
        calls.add += 1;
        return a + b;
      },
      me: () => ({ name: 'Ann', friend: { name: 'Bob' } }),
      fail: (_root, { how }: { how?: string }) => {
        if (how === 'forbidden') throw new AppError('forbidden');
        if (how === 'validation') throw new AppError('validation', [{ path: ['a'], message: 'a must be defined.' }]);
        throw new Error('mongodb://user:secret@host');
      },
    },
    Mutation: {
      note: (_root, { text }: { text: string }) => {
        calls.note += 1;
        return text;
      },
    },
  },
});

interface TinyApi {
  readonly url: string;
  /** The log lines. */
  readonly logged: readonly object[];
}

/** A GraphQL API of a few fields, for what has nothing to do with content types. */
export function useTinyApi(config: Readonly<Record<string, unknown>> = {}): TinyApi {
  const logged: object[] = [];
  const log = { error: (details: object): void => void logged.push(details) };
  let server: Server;
  let url = '';
  beforeAll(async () => {
    const { limits, server: options } = parseSettings(config);
    const responses = createResponses(2 ** 25);
    const { introspection = true, csrfPrevention } = options;
    const formatErrors = createFormatErrors(log, { last: options.formatError });
    const respond = createRespond({
      schema,
      documents: createQueryDocuments({ schema, limits, introspection, server: options }),
      limits,
      refuseVariables: createRefuseVariables({
        schema,
        written: new Map(),
        openCount: () => openDataCount({ components: 10, relatedEntries: 10, jsonValues: 100 }),
        limit: limits.variables,
      }),
      limit: responses.limit,
      server: options,
      execute: createExecute(schema, { maxErrors: 10, hideSuggestions: !introspection }),
    });
    const app = express();
    app.set('query parser', false);
    app.use(
      '/graphql',
      serveGraphql({
        http: {
          admit: (_, work) => work(),
          responses,
          readForm: undefined,
          bodies: createBodies({ body: 2 ** 20, forms: 1 }),
        },
        auth: {
          authenticate: async ({ headers }) => {
            if (headers.authorization === 'Bearer wrong') throw new AppError('unauthorized');
            return { kind: 'public', may: () => false };
          },
          readPreview: undefined,
        },
        respond,
        formatErrors,
        contextOf: (request, further) => ({
          ...request,
          ...further,
          state: strapiState({ kind: 'public', may: () => false }),
          budget: createResponseBudget(responses.limit),
          countData: () => undefined,
          read: () => {
            throw new Error('There are no entries');
          },
          entryRequest: () => {
            throw new Error('There are no entries');
          },
          selected: () => undefined,
        }),
        csrfPrevention,
      }),
    );
    app.use(respondToErrors(log));
    server = createServer(app);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    get url() {
      return url;
    },
    logged,
  };
}

export interface TinyAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests state what they expect of a body.
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any
}

/** Sends JSON, or a raw body with the type in `headers`. */
export async function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<TinyAnswer> {
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  return read(
    await fetch(url, { method: 'POST', body: sent, headers: { 'content-type': 'application/json', ...headers } }),
  );
}

export async function read(response: Response): Promise<TinyAnswer> {
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}
