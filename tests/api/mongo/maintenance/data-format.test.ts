import { expect, test } from '@jest/globals';
import { claimDataFormat, type Upgrade } from '../../../../src/mongo/maintenance/data-format.js';
import { createTestService } from '../../../../src/testing.js';
import { corpus, useService } from '../../../support/service.js';

const client = useService();

const records = () => client.service.database.db.collection<{ _id: string; format: number }>('_format');
const read = async (): Promise<unknown> => (await records().findOne({}))?.format;
const claim = (steps: readonly Upgrade[]): Promise<void> => claimDataFormat(client.service.database.db, steps);

test('a start records the format', async () => {
  expect(await read()).toBe(2);
});

test('one of several processes upgrades, step by step, and the others wait for it', async () => {
  const log: string[] = [];
  const step =
    (name: string): Upgrade =>
    async () => {
      log.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
    };
  const steps = [step('2 to 3'), step('3 to 4')];
  const waited = await Promise.all([1, 2, 3, 4].map(() => claim(steps).then(() => log.length)));
  expect(log).toEqual(['2 to 3 begins', '2 to 3 ends', '3 to 4 begins', '3 to 4 ends']);
  expect(waited).toEqual([4, 4, 4, 4]);
  expect(await read()).toBe(4);
});

test('an upgrade that fails is repeated from its step', async () => {
  const done: number[] = [];
  const steps = (fails: boolean): readonly Upgrade[] =>
    [1, 2, 3, 4].map((number) => async () => {
      if (number === 4 && fails) throw new Error('away');
      done.push(number);
    });
  await expect(claim(steps(true))).rejects.toThrow('away');
  await claim(steps(false));
  expect(done).toEqual([3, 4]);
});

test.each([
  [9, 'The data has the format 9, this version knows 2: a newer version of the service has upgraded it'],
  [1, 'The data has the format 1, of a version before the first release, which this version cannot read'],
])('a service refuses the format %d, and changes nothing', async (format, message) => {
  await records().updateOne({}, { $set: { format } });
  const { databaseName } = client.service.database.db;
  const uri = new URL(process.env['TEST_MONGODB_URI'] ?? '');
  uri.pathname = `/${databaseName}`;
  await expect(createTestService({ contentTypes: corpus, mongodbUri: uri.href })).rejects.toThrow(message);
  expect(await read()).toBe(format);
  await records().updateOne({}, { $set: { format: 2 } });
});
