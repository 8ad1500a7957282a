import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CommandInput, CommandResult } from '../../../../src/plugins/contract/plugin.js';
import { openReceiver, type Receiver } from '../../../support/webhook-receiver.js';
import { useService } from '../../../support/service.js';

const client = useService({ environment: { WEBHOOK_PRIVATE_NETWORKS: 'true' } });
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(async () => receiver.close());

async function run(usage: string, input: CommandInput = {}): Promise<CommandResult> {
  const command = client.service.commands.find((one) => one.usage === usage);
  if (command === undefined) throw new Error(usage);
  return command.run(input);
}

test('a webhook is added, tested, listed and removed; its deliveries are listed and sent again', async () => {
  const input = {
    name: 'site',
    url: receiver.url,
    header: ['X-Site: www'],
    types: ['api::author.author'],
    signed: true,
  };
  const added = await run('webhooks add <name> <url>', input);
  expect(added.rows[0]).toMatchObject({ name: 'site', signed: true, secret: expect.stringMatching(/^[\w-]{43}$/) });
  expect((await run('webhooks list')).rows).toEqual([
    {
      name: 'site',
      url: receiver.url,
      types: 'api::author.author',
      signed: true,
      format: '4',
      enabled: true,
      declared: false,
      events: 'entry.create entry.update entry.delete media.create media.update media.delete',
    },
  ]);
  await run('webhooks test <name>', { name: 'site' });
  const [tested] = await receiver.arrived(1);
  expect([tested?.body.event, tested?.headers['x-site']]).toEqual(['trigger-test', 'www']);
  // The process that adds a webhook knows it at once.
  await client.create('authors', { name: 'Anna' });
  await receiver.arrived(2);
  // The receiver has the request before the service has the response and stores the state.
  let rows: CommandResult['rows'];
  do ({ rows } = await run('webhooks deliveries [name]', { name: 'site' }));
  while (rows.at(-1)?.['state'] !== 'delivered');
  expect(rows.at(-1)).toMatchObject({ event: 'entry.create', status: 200, tries: 1 });
  const id = String(rows.at(-1)?.['id']);
  await run('webhooks redeliver <id>', { id });
  const isAgain = (): boolean =>
    receiver.arrivals.filter(({ headers }) => headers['x-delivery-id'] === id).length === 2;
  while (!isAgain()) await receiver.arrived(receiver.arrivals.length + 1);
  expect((await run('webhooks remove <name>', { name: 'site' })).rows).toEqual([{ removed: 'site' }]);
  expect((await run('webhooks list')).rows).toEqual([]);
});

test.each([
  ['webhooks add <name> <url>', { name: 'a', url: 'ftp://a' }, 'must begin with https:// or http://'],
  ['webhooks add <name> <url>', { name: 'a', url: 'http://a', events: ['entry.creat'] }, 'entry.create'],
  ['webhooks add <name> <url>', { name: 'a', url: 'http://a', types: ['api::x.x'] }, 'api::x.x'],
  ['webhooks add <name> <url>', { name: 'a', url: 'http://a', header: ['X Site: a'] }, 'not a valid header'],
  [
    'webhooks add <name> <url>',
    { name: 'a', url: 'http://a', format: '6' },
    '--format 6 is a format that no plugin has',
  ],
  ['webhooks test <name>', { name: 'unknown' }, 'unknown'],
  ['webhooks deliveries [name]', { limit: '0' }, 'from 1 to 1000'],
  ['webhooks redeliver <id>', { id: 'unknown' }, 'unknown delivery'],
])('%s refuses %j', async (usage, input, message) => {
  await expect(run(usage, input as CommandInput)).rejects.toThrow(message);
});

test.each([['Authorization Bearer secret-value'], ['X-Key: secret-value\n'], ['X Key: secret-value']])(
  'a header that is refused does not show its value: %j',
  async (header) => {
    const adding = run('webhooks add <name> <url>', { name: 'a', url: 'http://a', header: [header] });
    await expect(adding).rejects.toThrow(/^--header (?!.*secret-value)/);
  },
);
