import { expect } from '@jest/globals';
import qs from 'qs';
import request from 'supertest';
import type { TestService } from '../../src/testing.js';
import type { RawAnswer } from './send-raw.js';

/** The parameters of a list that its tool has. */
const parameters = new Set(['filters', 'sort', 'fields', 'populate', 'locale', 'publicationState']);

const listOf = (value: unknown): unknown => (typeof value === 'string' ? [value] : value);

/** Expects that an assistant gets what the REST API answers to the same read, also if both refuse it. Reads that no tool can express are left out. */
export async function expectTheSame({ url, token }: TestService, path: string, rest: RawAnswer): Promise<void> {
  const [, type, id, query = ''] = /^\/api\/([\w-]+)(?:\/(\d+))?(?:\?(.*))?$/.exec(path) ?? [];
  const { sort, fields, ...input } = qs.parse(query, { depth: 30, arrayLimit: 100, parameterLimit: 20_000 });
  if (type === undefined || Object.keys(input).some((name) => !parameters.has(name))) return;
  const given = {
    type,
    ...input,
    ...(sort !== undefined && { sort: listOf(sort) }),
    ...(fields !== undefined && { fields: listOf(fields) }),
  };
  const { body } = await request(url)
    .post('/mcp')
    .accept('application/json, text/event-stream')
    .auth(token, { type: 'bearer' })
    .send({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: id === undefined ? 'find_entries' : 'get_entry',
        arguments: id === undefined ? given : { ...given, id: Number(id) },
      },
    });
  const { isError = false, content } = (
    body as { readonly result: { readonly isError?: boolean; readonly content: readonly { text: string }[] } }
  ).result;
  const text = content[0]?.text ?? '';
  expect({ path, isError }).toEqual({ path, isError: rest.status !== 200 });
  if (!isError) expect(JSON.parse(text)).toEqual(JSON.parse(rest.text));
}
