import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { normalise } from '../../scripts/conformance/normalise.js';
import recorded from '../fixtures/project-corpus/webhooks.json' with { type: 'json' };
import { type Arrival, openReceiver, type Receiver } from '../support/webhook-receiver.js';

const corpus = 'tests/fixtures/project-corpus';
const token = 'workshop-full-access-token-0001';

let receiver: Receiver;
let child: ChildProcess;
let url: string;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'webhooks-'));

/** The project's code is loaded by Node, so it is served by a process of its own. */
beforeAll(async () => {
  receiver = await openReceiver();
  const project = path.join(folder, 'project');
  fs.cpSync(path.join(corpus, 'project'), project, { recursive: true });
  const webhooks = recorded.webhooks.map(({ name, headers, events, isEnabled }) => ({
    name,
    headers,
    events,
    enabled: isEnabled,
    url: `${receiver.url}/${encodeURIComponent(name)}`,
  }));
  fs.writeFileSync(path.join(project, 'config', 'webhooks.json'), JSON.stringify({ webhooks }));
  const args = ['--world', `${corpus}/world.json`, '--content-types', project, '--port', '0'];
  child = spawn(
    process.execPath,
    ['scripts/conformance-serve.mjs', ...args, '--database', `test_webhooks_${process.pid}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, MONGODB_URI: process.env['TEST_MONGODB_URI'], WEBHOOK_PRIVATE_NETWORKS: 'true' },
    },
  );
  let output = '';
  while (!/ready (\S+)/.test(output)) {
    const [chunk] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    output += chunk.toString();
  }
  url = /ready (\S+)/.exec(output)?.[1] ?? '';
});
afterAll(async () => {
  child.kill();
  await once(child, 'exit');
  await receiver.close();
  fs.rmSync(folder, { recursive: true });
});

type Step = (typeof recorded.withRelations)[number];

async function send({ request }: Step): Promise<void> {
  if (request === undefined) return;
  const { method, path: place, body } = request;
  const headers: Record<string, string> = { authorization: `Bearer ${token}` };
  const response = await (place.startsWith('/api/upload') && method === 'POST'
    ? fetch(`${url}${place}`, { method, headers, body: formFor(place) })
    : fetch(`${url}${place}`, {
        method,
        headers: { ...(place.includes('/auth/') ? {} : headers), 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }));
  if (!response.ok) throw new Error(`${method} ${place}: ${response.status} ${await response.text()}`);
}

function formFor(place: string): FormData {
  const form = new FormData();
  if (place.includes('?id=')) form.set('fileInfo', JSON.stringify({ name: 'renamed.txt', caption: 'c' }));
  else form.set('files', new Blob(['one\n'], { type: 'text/plain' }), 'one.txt');
  return form;
}

const dropped = new Set(['host', 'content-length', 'connection']);

const asRecorded = ({ path: place, method, headers, body }: Arrival): object => ({
  hook: decodeURIComponent(place.slice(1)),
  method,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name))),
  // The file of the recording had another size.
  body: JSON.parse(JSON.stringify(normalise(body)).replaceAll(/"size":[\d.]+/g, '"size":"<size>"')) as unknown,
});

const inAnyOrder = (hooks: readonly object[]): readonly string[] =>
  hooks.map((hook) => JSON.stringify(normalise(hook), Object.keys(flatKeys(hook)).toSorted())).toSorted();

/** The keys at all levels. */
function flatKeys(value: unknown): Record<string, true> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, part]) => ({ [key]: true, ...flatKeys(part) })),
  ) as Record<string, true>;
}

/** Webhooks for the entries that the project's bootstrap creates are sent too; the recording began after it. */
const ofBootstrap = ({ body }: Arrival): boolean => body.event === 'entry.create' && body.model === 'board';

// The admin panel is not part of the service.
const steps = recorded.withRelations.filter(({ request }) => !request?.path.startsWith('/content-manager/'));

test('every recorded webhook is sent as Strapi sent it, and no other', async () => {
  await receiver.arrived(1);
  let seen = receiver.arrivals.filter(ofBootstrap).length;
  const differing: unknown[] = [];
  for (const step of steps) {
    await send(step);
    const arrived = (await receiver.arrived(seen + step.hooks.length)).slice(seen);
    seen += arrived.length;
    const [expected, actual] = [inAnyOrder(step.hooks), inAnyOrder(arrived.map(asRecorded))];
    if (expected.join() !== actual.join()) differing.push({ what: step.what, expected, actual });
  }
  expect(differing).toEqual([]);
});
