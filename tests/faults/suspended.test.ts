import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { MongoClient, type Db } from 'mongodb';
import { checkData } from './check-data.js';
import { startCommandProxy, type CommandProxy } from './command-proxy.js';
import { sendTo } from './send-to.js';
import { makeProject, startService, type Project, type ServiceProcess } from './service-process.js';
import type { Send } from './writer.js';

const uri = process.env['TEST_MONGODB_URI'] ?? '';
const name = `suspended_${process.pid}`;
/** `npm run faults` waits until the process counts as dead; otherwise its transactions are made old. */
const SUSPENDED_MS = process.env['FAULT_ROUNDS'] === undefined ? 0 : 30_000;
/** A process dies at the latest after this many commands of a write. */
const MOST_COMMANDS = 40;
const NO_ENTRY = 999_999;

let project: Project;
let proxy: CommandProxy;
let client: MongoClient;
let db: Db;
let suspended: ServiceProcess;
let living: ServiceProcess;
beforeAll(async () => {
  client = await new MongoClient(uri).connect();
  db = client.db(name);
  project = makeProject();
  proxy = await startCommandProxy(uri);
  const environment = { DATABASE: 'auto', DATABASE_NAME: name };
  suspended = await startService(project, { ...environment, MONGODB_URI: proxy.uri });
  living = await startService(project, { ...environment, MONGODB_URI: uri });
});
afterEach(() => {
  suspended.resume();
  proxy.release();
});
afterAll(async () => {
  await Promise.all([suspended.kill('service'), living.kill('service')]);
  await proxy.close();
  await db.dropDatabase();
  await client.close();
  project.remove();
});

interface Seen {
  readonly holder: boolean;
  readonly members: number;
  readonly label: boolean;
  readonly nodes: number;
  readonly peers: number;
}

interface Entries {
  readonly nodes: readonly [number, number];
  /** A peer of the first node. */
  readonly peer: number;
  readonly leaf: number;
}

/** Writes of several entries, as the suspended instance sends them. */
const writes: Readonly<Record<string, (send: Send, entries: Entries, label: string) => ReturnType<Send>>> = {
  'a one-to-one link': (send, { nodes: [node], leaf }, label) =>
    send('PUT', `/api/nodes/${node}`, { partner: leaf, label }),
  'an inverse list': (send, { nodes, leaf }, label) => send('PUT', `/api/leaves/${leaf}`, { members: nodes, label }),
  'a batch': (send, { nodes: [node], leaf }, label) =>
    send('POST', '/api/batch', {
      operations: [
        { update: 'nodes', id: node, data: { label, partner: leaf } },
        { create: 'nodes', data: { label, group: leaf } },
        { update: 'leaves', id: leaf, data: { label } },
      ],
    }),
  'a batch that deletes': (send, { nodes: [node], peer, leaf }, label) =>
    send('POST', '/api/batch', {
      operations: [
        { delete: 'nodes', id: peer },
        { update: 'nodes', id: node, data: { label, partner: leaf } },
      ],
    }),
  'a batch that is undone': (send, { nodes: [node], leaf }, label) =>
    send('POST', '/api/batch', {
      operations: [
        { update: 'nodes', id: node, data: { label, partner: leaf, peers: [] } },
        { create: 'nodes', data: { label, group: leaf } },
        { delete: 'leaves', id: NO_ENTRY },
      ],
    }),
};

const create = async (send: Send, collection: string, data: object): Promise<number> =>
  (await send('POST', `/api/${collection}`, data)).body.data.id;

/** What clients can see of a write: each line has all of it, or nothing. */
async function seen(send: Send, { nodes, peer, leaf }: Entries, label: string): Promise<Seen> {
  const { body } = await send('GET', `/api/leaves/${leaf}?populate=*`);
  const { holder, members, label: own } = body.data.attributes;
  const listed = await send('GET', `/api/nodes?filters[label]=${label}&populate=group`);
  const node = await send('GET', `/api/nodes/${nodes[0]}?populate=peers`);
  const { status } = await send('GET', `/api/nodes/${peer}`);
  const peers: number = node.body.data.attributes.peers.data.length;
  // A deleted entry leaves no reference.
  expect({ label, peers }).toEqual({ label, peers: status === 200 ? 1 : 0 });
  return {
    peers,
    holder: holder.data?.id === nodes[0],
    members: members.data.length,
    label: own === label,
    nodes: listed.body.data.length,
  };
}

test.each(Object.entries(writes))(
  'an instance that is suspended at any command of %s does no harm when it goes on',
  async (title, write) => {
    const first = sendTo(suspended.url, project.token).send;
    const { send } = sendTo(living.url, project.token);
    const outcomes = new Set<number>();
    const done = title === 'a batch that is undone' ? 404 : 200;
    let commands = 0;
    for (let command = 1; command <= MOST_COMMANDS; command += 1) {
      const label = `${title.replaceAll(' ', '-')}-${command}`;
      const peer = await create(send, 'nodes', {});
      const [one, two] = [await create(send, 'nodes', { peers: [peer] }), await create(send, 'nodes', {})];
      const entries: Entries = { nodes: [one, two], peer, leaf: await create(send, 'leaves', {}) };
      const before = await seen(send, entries, label);
      const reached = proxy.stopAt(command, suspended.suspend);
      const answering = write(first, entries, label);
      const isReached = await Promise.race([reached.then(() => true), answering.then(() => false)]);
      if (isReached) {
        await wait(SUSPENDED_MS);
        // The other instance needs the entry, and the link. It is refused while a heartbeat that was under way renews
        // the transaction.
        let other;
        do {
          if (SUSPENDED_MS === 0) await db.collection('_transactions').updateMany({}, { $set: { at: new Date(0) } });
          other = await send('PUT', `/api/leaves/${entries.leaf}`, { holder: two });
        } while (other.status === 409);
        expect({ label, status: other.status }).toEqual({ label, status: 200 });
        suspended.resume();
      }
      proxy.release();
      const { status } = await answering;
      outcomes.add(status);
      expect([done, 409]).toContain(status);
      const after = await seen(send, entries, label);
      if (title === 'an inverse list')
        expect({ label, isDone: after.label }).toEqual({ label, isDone: after.members === 2 });
      if (title === 'a batch') expect({ label, nodes: after.nodes }).toEqual({ label, nodes: after.label ? 2 : 0 });
      if (title === 'a batch that deletes')
        expect({ label, peers: after.peers }).toEqual({ label, peers: status === 200 ? 0 : 1 });
      if (status !== 200) expect([label, after]).toEqual([label, before]);
      const holders = await send('GET', `/api/nodes?filters[partner][id]=${entries.leaf}`);
      expect({ label, holders: holders.body.data.length }).toEqual({
        label,
        holders: Number(isReached || ['a one-to-one link', 'a batch', 'a batch that deletes'].includes(title)),
      });
      commands += 1;
      if (!isReached) break;
    }
    expect(outcomes).toContain(done);
    expect(commands).toBeGreaterThan(5);
    expect(checkData(project, { DATABASE: 'auto', MONGODB_URI: uri, DATABASE_NAME: name })).toContain('no violations');
  },
);
