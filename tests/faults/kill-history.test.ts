import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkData } from './check-data.js';
import { countDown } from '../support/count-down.js';
import { isQuick, minutes } from '../support/scaled.js';
import { randomOf } from './random.js';
import { sendTo } from './send-to.js';
import { makeProject, startService, victims, type Project, type ServiceProcess } from './service-process.js';
import type { Send } from './writer.js';

/** `npm run faults` sets more. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? (isQuick ? 1 : 2));
const WRITERS = 8;

let project: Project;
let service: ServiceProcess | undefined;
beforeAll(() => {
  project = makeProject('packages/versions/tests/content-types');
  mkdirSync(path.join(project.folder, 'config'));
  const plugins = {
    versions: { enabled: true, config: { keep: 100 } },
    i18n: { enabled: true, config: { locales: ['en'] } },
  };
  writeFileSync(path.join(project.folder, 'config', 'plugins.json'), JSON.stringify(plugins));
});
afterAll(async () => {
  await service?.kill('both').catch(() => undefined);
  project.remove();
});

/**
 * A card and an article of its own, and what of them was acknowledged: labels, titles, and whether the card was
 * deleted.
 */
interface Writer {
  readonly card: number;
  readonly article: number;
  readonly labels: string[];
  readonly titles: string[];
  isDeleted: boolean | undefined;
}

const create = async (send: Send, collection: string, data: object): Promise<number> =>
  (await send('POST', `/api/${collection}`, data)).body.data.id;

/** Writes one after the other, until an answer is missing. */
async function write(writer: Writer, send: Send, random: () => number, goOn: () => boolean): Promise<void> {
  const { card, article, labels, titles } = writer;
  const isDone = async (...request: Parameters<Send>): Promise<boolean> =>
    send(...request).then(
      ({ status }) => status === 200,
      () => false,
    );
  for (let index = 0; goOn(); index += 1) {
    const text = `${card} ${labels.length + titles.length} ${index}`;
    if (random() < 0.2) {
      writer.isDeleted = undefined;
      if (!(await isDone('DELETE', `/api/cards/${card}`))) return;
      writer.isDeleted = true;
      if (!(await isDone('POST', `/api/cards/trash/${card}/restore`))) return void (writer.isDeleted = undefined);
      writer.isDeleted = false;
    } else if (random() < 0.5) {
      if (!(await isDone('PUT', `/api/cards/${card}`, { label: text }))) return;
      labels.push(text);
    } else {
      if (!(await isDone('PUT', `/api/articles/${article}`, { title: text }))) return;
      titles.push(text);
    }
  }
}

// Each round starts the service twice.
test(
  `no version of an acknowledged write is lost when the process is killed, ${ROUNDS} times`,
  async () => {
    const random = randomOf(0);
    let acknowledged = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const victim = victims[round % victims.length] ?? 'both';
      const running = await startService(project);
      service = running;
      const { send } = sendTo(running.url, project.token);
      const writers: Writer[] = [];
      for (let index = 0; index < WRITERS; index += 1) {
        const card = await create(send, 'cards', { label: `card ${round} ${index}` });
        const article = await create(send, 'articles', { title: 'first' });
        writers.push({ card, article, labels: [], titles: [], isDeleted: false });
      }
      const { enough, countOne } = countDown(4 * WRITERS);
      const counted: Send = (...request) => send(...request).finally(countOne);
      let goesOn = true;
      const writing = Promise.all(
        writers.map((writer, index) => write(writer, counted, randomOf(index + 1), () => goesOn)),
      );
      await Promise.race([enough, writing]);
      await wait(random() * 500);
      await running.kill(victim);
      goesOn = false;
      await writing;
      if (victim === 'database') await running.kill('both');

      const after = await startService(project);
      service = after;
      const { send: ask } = sendTo(after.url, project.token);
      for (const { card, article, labels, titles, isDeleted } of writers) {
        const isThere = (await ask('GET', `/api/cards/${card}`)).status === 200;
        const isInTrash = !isThere && (await ask('POST', `/api/cards/trash/${card}/restore`)).status === 200;
        // It is in one of both, and where it was when that was acknowledged.
        expect({ card, isSomewhere: isThere || isInTrash }).toEqual({ card, isSomewhere: true });
        if (isDeleted !== undefined) expect({ card, isThere }).toEqual({ card, isThere: !isDeleted });
        for (const [address, name, texts] of [
          [`cards/${card}`, 'label', labels],
          [`articles/${article}`, 'title', titles],
        ] as const) {
          const { body } = await ask('GET', `/api/${address}/versions?pagination[pageSize]=100`);
          const versions: readonly { readonly data: Readonly<Record<string, string>> }[] = body.data;
          const kept = new Set(versions.map(({ data }) => data[name]));
          const lost = texts.slice(-50).filter((text) => !kept.has(text));
          expect({ round, victim, address, lost }).toEqual({ round, victim, address, lost: [] });
          acknowledged += texts.length;
        }
      }
      await after.stop();
      service = undefined;
      expect(checkData(project)).toContain('no violations');
    }
    expect(acknowledged).toBeGreaterThan(ROUNDS * WRITERS);
  },
  minutes(10),
);
