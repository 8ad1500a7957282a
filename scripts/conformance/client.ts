import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '../../src/config/record.js';
import { fillIn, type Captured } from './captured.js';
import type { Answer, Multipart, Step } from './scenario.js';
import type { World } from './world.js';

/** Sends the requests of steps, as whom they say. */
export interface Client {
  /**
   * Status 0: it was not sent, as earlier answers lacked a value that it names.
   * @throws Error when there is no answer
   */
  send(step: Step, captured: Captured): Promise<Answer>;
}

export interface ClientOptions {
  /** Of the server, e.g. `http://127.0.0.1:1337`. */
  readonly url: string;
  readonly world: World;
  /** The folder of the files that steps upload. */
  readonly fixtures: string;
}

/** Milliseconds to wait for an answer. */
const TIMEOUT_MS = 20_000;
const json = { 'content-type': 'application/json' };

export function createClient({ url, world, fixtures }: ClientOptions): Client {
  const keys = new Map<string, Promise<string>>();
  const logIn = async (name: string): Promise<string> => {
    const body = JSON.stringify(world.users[name]);
    const response = await fetch(`${url}/api/auth/local`, { method: 'POST', headers: json, body });
    const answer: unknown = await response.json().catch(() => undefined);
    const jwt = isRecord(answer) ? answer['jwt'] : undefined;
    if (typeof jwt !== 'string') throw new Error(`cannot log in as ${name}: ${response.status}`);
    return jwt;
  };
  const credentials = async (auth: string, fill: Fill): Promise<string | undefined> => {
    const [kind = '', name = ''] = auth.split(/:(.*)/s);
    if (kind === 'public') return undefined;
    if (kind === 'invalid') return 'not-a-valid-token';
    if (kind === 'bearer') return String(fill(name));
    if (kind !== 'user') return tokenOf(world, auth);
    // One log-in for all steps; one that failed is tried again.
    const key = keys.get(name) ?? logIn(name);
    keys.set(name, key);
    key.catch(() => keys.delete(name));
    return key;
  };
  return {
    send: async (step, captured) => {
      const missing = new Set<string>();
      const fill: Fill = (template) => fillIn(template, captured, (name) => missing.add(name));
      const key = await credentials(step.auth ?? 'public', fill);
      const { body, type } = await bodyOf(step, fill, fixtures);
      const headers = new Headers({ accept: 'application/json', ...type });
      for (const [name, value] of fillFields(step.headers ?? {}, fill)) headers.set(name, String(value));
      if (key !== undefined && !headers.has('authorization')) headers.set('authorization', `Bearer ${key}`);
      const address = `${url}${String(fill(step.path))}`;
      if (missing.size > 0) return { status: 0, body: `missing captured value(s): ${[...missing].join(', ')}` };
      const response = await fetch(address, {
        method: step.method ?? 'GET',
        headers,
        ...(body !== undefined && { body }),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return { status: response.status, body: parseBody(await response.text(), response.headers) };
    },
  };
}

type Fill = (template: unknown) => unknown;

const fillFields = (fields: Readonly<Record<string, unknown>>, fill: Fill): readonly (readonly [string, unknown])[] =>
  Object.entries(fields).map(([name, value]) => [name, fill(value)]);

function tokenOf({ tokens }: World, name: string): string {
  const token = tokens[name];
  if (token === undefined) throw new Error(`world.json has no token ${name}`);
  return token.accessKey;
}

interface Body {
  readonly body?: string | FormData;
  readonly type?: Readonly<Record<string, string>>;
}

async function bodyOf(step: Step, fill: Fill, fixtures: string): Promise<Body> {
  if (step.multipart !== undefined) return { body: await formOf(step.multipart, fill, fixtures) };
  if (step.rawBody !== undefined) return { body: step.rawBody, type: json };
  return step.body === undefined ? {} : { body: JSON.stringify(fill(step.body)), type: json };
}

async function formOf({ fields = {}, files = [] }: Multipart, fill: Fill, fixtures: string): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of fillFields(fields, fill)) {
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  for (const { field, file, filename = file, type } of files) {
    form.append(field, new Blob([await readFile(path.join(fixtures, file))], { type }), filename);
  }
  return form;
}

function parseBody(text: string, headers: Headers): unknown {
  if (text === '' || !/json/.test(headers.get('content-type') ?? '')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
