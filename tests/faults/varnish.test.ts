import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { corpus } from '../support/service.js';
import { startUnreliableProxy, type UnreliableProxy } from './unreliable-proxy.js';
import { randomOf } from './random.js';
import { makeProject, startService, type ServiceProcess } from './service-process.js';
import { addresses, build, createEditor, publicActions, type Ask, type Editor } from './site.js';
import { hasVarnish, startVarnish, type Varnish } from './varnish.js';

/** Of 2000 requests each; `FAULT_ROUNDS` sets more, and prints figures. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1);
const [EDITORS, READERS] = [4, 16];
/** Of Zipf's law: the lower end of what Padmanabhan and Qiu measured at the server of a busy site (SIGCOMM 2000). */
const EXPONENT = 1.4;
/** Requests between two moments at which nothing is written, with a write of each editor among them. */
const mixes = { '99/1': 100 * EDITORS, '95/5': 20 * EDITORS };
type Mix = keyof typeof mixes;

const project = makeProject(corpus);
const isInstalled = hasVarnish(project.folder);
afterAll(() => project.remove());

(isInstalled ? describe : describe.skip)('Varnish with xkey', () => {
  let service: ServiceProcess;
  let varnish: Varnish;
  /** The service has another port after each start. */
  let proxy: UnreliableProxy;

  const start = async (): Promise<void> => {
    service = await startService(project, {
      CACHE_TAGS: 'true',
      CACHE_CONTROL: 'public, max-age=0, s-maxage=31536000',
    });
    proxy.setTarget(Number(new URL(service.url).port));
  };

  beforeAll(async () => {
    const access = {
      roles: { public: { permissions: publicActions } },
      tokens: { faults: { type: 'full-access', key: { env: 'FAULT_TOKEN' } } },
      locales: [{ code: 'en', isDefault: true }, { code: 'fr' }],
    };
    writeFileSync(path.join(project.folder, 'content-types', 'access.json'), JSON.stringify(access));
    proxy = await startUnreliableProxy(0);
    varnish = await startVarnish(project.folder, proxy.port);
    mkdirSync(path.join(project.folder, 'config'));
    const caches = [{ type: 'varnish', url: varnish.url }];
    writeFileSync(path.join(project.folder, 'config', 'cdn.json'), JSON.stringify({ caches }));
    await start();
    await build(write);
  });
  afterAll(async () => {
    await service?.stop();
    await varnish?.stop();
    await proxy?.close();
  });

  /** Milliseconds from writes to their acknowledged purges. */
  const purges: number[] = [];
  /** A write; its answer comes when the cache has purged what it changed. */
  const write: Ask = async (method, address, body) => {
    const begun = performance.now();
    const isForm = body instanceof FormData;
    const answer = await fetch(service.url + address, {
      method,
      headers: {
        authorization: `Bearer ${project.token}`,
        prefer: 'wait=10',
        ...(!isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const content = await answer.json();
    expect({ method, address, status: answer.status, content }).toEqual({ method, address, status: 200, content });
    if (answer.headers.has('preference-applied')) purges.push(performance.now() - begun);
    else await settle();
    return content;
  };
  /** Until all that was written is purged: a slow machine takes longer than one request waits. */
  const settle = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${project.token}`, prefer: 'wait=10', 'content-type': 'application/json' };
    const body = JSON.stringify({ data: { color: 'green' } });
    let isApplied = false;
    while (!isApplied) {
      const answer = await fetch(`${service.url}/api/tags/1`, { method: 'PUT', headers, body });
      isApplied = answer.headers.has('preference-applied');
    }
  };

  const cached = async (address: string) => {
    let answer = await fetch(varnish.url + address);
    // Its connection was that of a killed service.
    while (answer.status === 503) answer = await fetch(varnish.url + address);
    const { status, headers } = answer;
    const hasHit = headers.get('x-hits') !== '0';
    const isKept = status === 200 && headers.get('x-uncacheable') === 'false';
    return { seen: `${status} ${await answer.text()}`, hasHit, isKept };
  };
  const fresh = async (address: string): Promise<string> => {
    const answer = await fetch(service.url + address);
    return `${answer.status} ${await answer.text()}`;
  };

  test('answers nothing that an acknowledged write has changed', async () => {
    const random = randomOf(0);
    const editors = Array.from({ length: EDITORS }, (_, index) =>
      createEditor(`e${index}`, randomOf(index + 1), write),
    );
    const draw = createZipf(shuffled(addresses, random), random);
    const stale: string[] = [];
    const counts = { '99/1': { reads: 0, hits: 0 }, '95/5': { reads: 0, hits: 0 } };
    const purged = { changed: 0, unchanged: 0 };
    /** What the cache has got for each address. */
    const kept = new Map<string, string>();
    /** The writes that are under way, and all that have begun. */
    let [writing, begun] = [0, 0];

    /**
     * Compares an answer of the cache with one of the service; false: a write was under way, so that they may differ.
     */
    const isCurrent = async (address: string, mix?: Mix): Promise<boolean> => {
      const [writingBefore, begunBefore] = [writing, begun];
      const { seen, hasHit, isKept } = await cached(address);
      if (mix !== undefined) {
        counts[mix].reads += 1;
        if (hasHit) counts[mix].hits += 1;
      }
      if (!hasHit) {
        const before = kept.get(address);
        if (before !== undefined) purged[before === seen ? 'unchanged' : 'changed'] += 1;
        if (isKept) kept.set(address, seen);
        else kept.delete(address);
      }
      if (seen === (await fresh(address))) return true;
      const isWriting = writingBefore > 0 || begun > begunBefore;
      if (!isWriting) stale.push(address);
      return isWriting;
    };
    const checkAll = async (all: Iterable<string>): Promise<void> => {
      for (const address of all) if (!(await isCurrent(address))) stale.push(address);
    };
    const edit = async (editor: Editor): Promise<void> => {
      [writing, begun] = [writing + 1, begun + 1];
      await editor.write().finally(() => {
        writing -= 1;
      });
    };
    const step = async (mix: Mix): Promise<void> => {
      const unsure = new Set<string>();
      const requests = shuffled(
        Array.from({ length: mixes[mix] }, (_, index) => editors[index] ?? draw()),
        random,
      );
      const send = async (): Promise<void> => {
        for (let next = requests.pop(); next !== undefined; next = requests.pop()) {
          if (typeof next !== 'string') await edit(next);
          else if (!(await isCurrent(next, mix))) unsure.add(next);
        }
      };
      await Promise.all(Array.from({ length: EDITORS + READERS }, send));
      await checkAll(unsure);
    };
    /** Of some writes nobody knows whether they were done. */
    const kill = async (): Promise<void> => {
      const edits = editors.map((editor) => edit(editor).catch(() => undefined));
      await wait(random() * 300);
      await service.kill('service');
      await Promise.all(edits);
      await start();
      await settle();
      kept.clear();
      await checkAll(addresses);
    };

    // An address that is refused would prove nothing: no cache keeps its answer.
    for (const address of addresses) expect(await fresh(address)).toMatch(/^200 /);
    const requests = (ROUNDS * 2000) / 2;
    const steps = (['99/1', '95/5'] as const).flatMap((mix) =>
      Array.from({ length: Math.ceil(requests / mixes[mix]) }, () => mix),
    );
    const perKill = Math.ceil(steps.length / (1 + ROUNDS / 20));
    for (const [index, mix] of steps.entries()) {
      await step(mix);
      if (index % perKill < perKill - 1) continue;
      await kill();
      report({ stale: stale.length, counts, purged }, purges);
    }
    await checkAll(addresses);
    expect(stale).toEqual([]);
  });
});

function report(figures: object, purges: readonly number[]): void {
  const sorted = purges.toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  const all = { ...figures, writes: purges.length, p50: at(0.5), p99: at(0.99), most: at(0.9999) };
  if (process.env['FAULT_ROUNDS'] !== undefined) process.stderr.write(`${JSON.stringify(all)}\n`);
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const ranked = values.map((value) => ({ value, rank: random() })).toSorted((a, b) => a.rank - b.rank);
  return ranked.map(({ value }) => value);
}

/** Draws the first address most often, and each other one the more rarely the later it comes, by Zipf's law. */
function createZipf(values: readonly string[], random: () => number): () => string {
  const weight = (index: number): number => (index + 1) ** -EXPONENT;
  const total = values.reduce((sum, _, index) => sum + weight(index), 0);
  return () => {
    let left = random() * total;
    return values.find((_, index) => (left -= weight(index)) < 0) ?? '';
  };
}
