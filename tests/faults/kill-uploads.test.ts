import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import type { Entries, Entry } from '../../src/documents/entries.js';
import { partsOf, storedName } from '../../src/plugins/upload/storage/file-storage.js';
import { openLocalStore } from '../../src/plugins/upload/storage/open-store.js';
import { presentIn } from '../../src/plugins/upload/storage/places.js';
import { sweepFiles } from '../../src/plugins/upload/storage/sweep.js';
import { countDown } from '../support/count-down.js';
import { randomOf } from './random.js';
import { makeProject, startService, type Project, type ServiceProcess, type Victim } from './service-process.js';

/** `npm run faults` sets more. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 2);
const CLIENTS = 8;
/** The service is killed in the middle of uploads; with its database, in the middle of writes to GridFS. */
const victims: readonly Victim[] = ['service', 'both'];
const HOUR = 3_600_000;

type File = Entry & { readonly url: string; readonly formats: Readonly<Record<string, { readonly url: string }>> };

describe.each(['local', 'gridfs'] as const)('files in the store %s', (provider) => {
  const random = randomOf(0);
  let project: Project;
  let image: Buffer;
  let service: ServiceProcess | undefined;
  beforeAll(async () => {
    project = makeProject();
    mkdirSync(path.join(project.folder, 'config'));
    const plugins = { upload: { config: { provider, imagesAtOnce: 2 } } };
    writeFileSync(path.join(project.folder, 'config', 'plugins.json'), JSON.stringify(plugins));
    const raw = { width: 800, height: 600, channels: 3 } as const;
    image = await sharp(randomBytes(800 * 600 * 3), { raw })
      .jpeg()
      .toBuffer();
  });
  afterAll(async () => {
    await service?.kill('both').catch(() => undefined);
    project.remove();
  });

  const send = async (method: string, address: string, body?: FormData): Promise<Response> => {
    const headers = { authorization: `Bearer ${project.token}` };
    return fetch(`${service?.url}${address}`, { method, headers, ...(body !== undefined && { body }) });
  };
  const form = (): FormData => {
    const made = new FormData();
    made.set('files', new Blob([image], { type: 'image/jpeg' }), 'noise.jpg');
    return made;
  };
  /** Uploads, replaces and deletes until the service has stopped; returns the acknowledged files. */
  const write = async (random: () => number, tellStored: () => void): Promise<readonly number[]> => {
    const stored: number[] = [];
    try {
      for (;;) {
        const chance = random();
        const [id] = stored;
        if (id !== undefined && chance < 0.25) {
          // Whether it is deleted is not known if the answer does not come.
          stored.shift();
          await send('DELETE', `/api/upload/files/${id}`);
        } else if (id !== undefined && chance < 0.5) await (await send('POST', `/api/upload?id=${id}`, form())).json();
        else {
          const [file] = (await (await send('POST', '/api/upload', form())).json()) as [Entry];
          stored.push(file.id);
          tellStored();
        }
      }
    } catch {
      return stored;
    }
  };
  const readAll = async (): Promise<readonly File[]> =>
    (await (await send('GET', '/api/upload/files')).json()) as readonly File[];

  test(`match the records after the process was killed ${ROUNDS} times`, async () => {
    let acknowledged = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      service = await startService(project);
      const { enough, countOne } = countDown(CLIENTS);
      const writing = Promise.all(
        Array.from({ length: CLIENTS }, (_, index) =>
          write(randomOf(round * CLIENTS + index), () => {
            acknowledged += 1;
            countOne();
          }),
        ),
      );
      await Promise.race([enough, writing]);
      await wait(random() * 1500);
      await service.kill(victims[round % victims.length] ?? 'both');
      const stored = (await writing).flat();

      service = await startService(project);
      const files = await readAll();
      const ids = new Set(files.map(({ id }) => id));
      expect(stored.filter((id) => !ids.has(id))).toEqual([]);
      for (const { url, formats } of files) {
        for (const one of [url, ...Object.values(formats).map((size) => size.url)]) {
          const answer = await send('GET', one);
          expect([one, answer.status]).toEqual([one, 200]);
          await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
        }
      }
      if (provider === 'local') await checkFolder(files);
      await service.stop();
      service = undefined;
    }
    expect(acknowledged).toBeGreaterThan(ROUNDS);
  });

  /** An hour later there is nothing but the files of the records. */
  async function checkFolder(files: readonly File[]): Promise<void> {
    const data = path.join(project.folder, '.data');
    const entries = { findMany: async () => files } as unknown as Entries;
    const store = openLocalStore(path.join(data, 'uploads'));
    const temporary = path.join(data, 'uploads-temporary');
    const swept = { store, places: [presentIn(entries)], kept: async () => new Set<string>() };
    await sweepFiles({ ...swept, folder: temporary }, Date.now() + 2 * HOUR);
    expect((await readdir(path.join(data, 'uploads'))).toSorted()).toEqual(
      files.flatMap(partsOf).map(storedName).toSorted(),
    );
    expect(await readdir(temporary)).toEqual([]);
  }
});
