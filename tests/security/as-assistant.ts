import { expect } from '@jest/globals';
import qs from 'qs';
import request from 'supertest';
import type { TestService } from '../../src/testing.js';
import { sendRaw, type RawAnswer } from './send-raw.js';

/** The parameters of a list that its tool has. */
const parameters = new Set(['filters', 'sort', 'fields', 'populate', 'locale', 'publicationState']);

const listOf = (value: unknown): unknown => (typeof value === 'string' ? [value] : value);

type Service = Pick<TestService, 'url' | 'token'>;

/** Calls a tool. @param input in JSON, which can have keys twice. */
async function callTool({ url, token }: Service, name: string, input: string) {
  const { body, status } = await request(url)
    .post('/mcp')
    .accept('application/json, text/event-stream')
    .type('application/json')
    .auth(token, { type: 'bearer' })
    .send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${input}}}`);
  const { isError, content } = ((body as { readonly result?: object }).result ?? {}) as {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text: string }[];
  };
  return { isError: isError ?? content === undefined, text: content?.[0]?.text ?? '', status };
}

/**
 * Expects that no assistant can propose the write that the REST API refuses, and that none learns of what is inside. A
 * creation is tried as an update too.
 */
export async function expectRefusedToo(service: Service, path: string, body: unknown, rest: RawAnswer): Promise<void> {
  const [, type, id] = /^\/api\/([\w-]+)(?:\/(\d+))?$/.exec(path) ?? [];
  const [, data] = typeof body === 'string' ? (/^\{"data":([^]*)\}$/.exec(body) ?? []) : [];
  if (type === undefined || data === undefined) return;
  const propose = async (operation: string, { status: expected }: RawAnswer): Promise<void> => {
    const operations = `{"operations":[{${operation},"type":"${type}","data":${data}}]}`;
    const { isError, text, status } = await callTool(service, 'propose_changes', operations);
    expect(status).toBeLessThan(500);
    expect(text).not.toMatch(/Mongo|BSON|E11000|Internal|at .*\.[jt]s:/);
    if (expected !== 200) expect([path, body, isError]).toEqual([path, body, true]);
  };
  if (id !== undefined) return propose(`"action":"update","id":${id}`, rest);
  await propose('"action":"create"', rest);
  const list = await sendRaw(service, path);
  const [entry] = (JSON.parse(list.text) as { readonly data: readonly { readonly id: number }[] | null }).data ?? [];
  if (entry === undefined) return;
  const update = { method: 'PUT', body: body as string } as const;
  const updated = await sendRaw(service, `${path}/${entry.id}?dryRun=true`, update);
  await propose(`"action":"update","id":${entry.id}`, updated);
}

/**
 * Expects that an assistant gets what the REST API answers to the same read, also if both refuse it. Reads that no tool
 * can express are left out.
 */
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
  const [name, shown]: readonly [string, object] =
    id === undefined ? ['find_entries', given] : ['get_entry', { ...given, id: Number(id) }];
  const { isError, text } = await callTool({ url, token }, name, JSON.stringify(shown));
  expect({ path, isError }).toEqual({ path, isError: rest.status !== 200 });
  if (!isError) expect(JSON.parse(text)).toEqual(JSON.parse(rest.text));
}
