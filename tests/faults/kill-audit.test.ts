import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countDown } from '../support/count-down.js';
import { isQuick, minutes } from '../support/scaled.js';
import { createWriters, makeAuditedProject, recorded, type Write } from './audited-writer.js';
import { checkData } from './check-data.js';
import { randomOf } from './random.js';
import { sendTo } from './send-to.js';
import { startService, victims, type Project, type ServiceProcess } from './service-process.js';
import type { Send } from './writer.js';

/** `npm run faults` sets more. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? (isQuick ? 1 : 2));
const WRITERS = 8;

let project: Project;
let service: ServiceProcess | undefined;
beforeAll(() => {
  project = makeAuditedProject();
});
afterAll(async () => {
  await service?.kill('both').catch(() => undefined);
  project.remove();
});

// Each round starts the service twice.
test(
  `each stored write has one record, and no other has, when the process is killed, ${ROUNDS} times`,
  async () => {
    const random = randomOf(0);
    const former: Write[] = [];
    let acknowledged = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const victim = victims[round % victims.length] ?? 'both';
      const running = await startService(project);
      service = running;
      const { send } = sendTo(running.url, project.token);
      const writers = await createWriters(WRITERS, `r${round}`, send);
      const { enough, countOne } = countDown(4 * WRITERS);
      const counted: Send = (...request) => send(...request).finally(countOne);
      let goesOn = true;
      const writing = Promise.all(writers.map((writer) => writer.write(counted, () => goesOn)));
      await Promise.race([enough, writing]);
      await wait(random() * 500);
      await running.kill(victim);
      goesOn = false;
      await writing;
      if (victim === 'database') await running.kill('both');

      const after = await startService(project);
      service = after;
      const { send: ask } = sendTo(after.url, project.token);
      const stored = (await Promise.all(writers.map((writer) => writer.find(ask)))).flat();
      expect([round, victim, (await recorded(ask)).toSorted()]).toEqual([
        round,
        victim,
        [...former, ...stored].toSorted(),
      ]);
      former.push(...stored);
      for (const writer of writers) acknowledged += writer.acknowledged();
      await after.stop();
      service = undefined;
      // The chains are whole, too.
      expect(checkData(project)).toContain('no violations');
    }
    expect(acknowledged).toBeGreaterThan(ROUNDS * WRITERS);
  },
  minutes(10),
);
