import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { randomOf } from './random.js';
import { makeProject, type Project } from './service-process.js';
import type { Send } from './writer.js';

/** A project that keeps who wrote what. */
export function makeAuditedProject(): Project {
  const project = makeProject();
  mkdirSync(path.join(project.folder, 'config'));
  writeFileSync(path.join(project.folder, 'config', 'plugins.json'), JSON.stringify({ audit: { enabled: true } }));
  return project;
}

/** What is done with which entry, such as `update 12`. */
export type Write = string;

/** The writes of one request: all of them are stored, or none. */
interface Attempt {
  /** Sends the request, and returns what it writes; undefined: it was refused. */
  readonly run: (send: Send) => Promise<readonly Write[] | undefined>;
  /** What it has written, by what is stored. */
  readonly find: (send: Send) => Promise<readonly Write[]>;
}

const labelled = async (send: Send, label: string): Promise<readonly number[]> =>
  (await send('GET', `/api/leaves?filters[label]=${label}&fields=id`)).body.data.map(({ id }: { id: number }) => id);

/** A client with a leaf of its own, which changes it alone, or with a new one in a batch, and deletes those. */
function createWriter(name: string, leaf: number, random: () => number) {
  const written: Write[] = [`create ${leaf}`];
  const others: number[] = [];
  let count = 0;
  let open: Attempt | undefined;
  const update = (label: string): Attempt => ({
    run: async (send) =>
      (await send('PUT', `/api/leaves/${leaf}`, { label })).status === 200 ? [`update ${leaf}`] : undefined,
    find: async (send) => (await labelled(send, label)).map((id) => `update ${id}`),
  });
  const batch = (label: string): Attempt => {
    const operations = [
      { update: 'leaves', id: leaf, data: { label } },
      { create: 'leaves', data: { label: `${label}-other` } },
    ];
    return {
      run: async (send) => {
        const { status, body } = await send('POST', '/api/batch', { operations });
        if (status !== 200) return undefined;
        others.push(body.data[1].id);
        return [`update ${leaf}`, `create ${body.data[1].id}`];
      },
      find: async (send) => {
        const created = await labelled(send, `${label}-other`);
        others.push(...created);
        const changed = await labelled(send, label);
        return [...changed.map((id) => `update ${id}`), ...created.map((id) => `create ${id}`)];
      },
    };
  };
  const remove = (id: number): Attempt => ({
    run: async (send) => ((await send('DELETE', `/api/leaves/${id}`)).status === 200 ? [`delete ${id}`] : undefined),
    find: async (send) => ((await send('GET', `/api/leaves/${id}`)).status === 404 ? [`delete ${id}`] : []),
  });
  const choose = (): Attempt => {
    const label = `${name}-${(count += 1)}`;
    const chance = random();
    if (chance < 0.4) return update(label);
    const other = chance < 0.7 ? undefined : others.pop();
    return other === undefined ? batch(label) : remove(other);
  };
  return {
    /** Writes one after the other until an answer is missing, or it is enough. */
    write: async (send: Send, goOn: () => boolean): Promise<void> => {
      while (goOn()) {
        open = choose();
        const done = await open.run(send).catch(() => undefined);
        // What was not acknowledged may be stored.
        if (done === undefined) return;
        written.push(...done);
        open = undefined;
      }
    },
    /** All that is stored of it. */
    find: async (send: Send): Promise<readonly Write[]> => [...written, ...((await open?.find(send)) ?? [])],
    acknowledged: (): number => written.length - 1,
  };
}

/** All records about leaves, the oldest first: others that come meanwhile do not move them to another page. */
export async function recorded(send: Send): Promise<readonly Write[]> {
  const found: Write[] = [];
  for (let page = 1, hasMore = true; hasMore; page += 1) {
    const pagination = `pagination[page]=${page}&pagination[pageSize]=100`;
    const { body } = await send(
      'GET',
      `/api/audit?filters[of]=api::leaf.leaf&fields[0]=action&fields[1]=entry&sort=id:asc&${pagination}`,
    );
    for (const { action, entry } of body.data) found.push(`${action} ${entry}`);
    ({ hasMore } = body.meta.pagination);
  }
  return found;
}

/** Clients with a new leaf each. */
export const createWriters = (count: number, prefix: string, send: Send) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const name = `${prefix}w${index}`;
      const { body } = await send('POST', '/api/leaves', { label: name });
      return createWriter(name, body.data.id, randomOf(index + 1));
    }),
  );
