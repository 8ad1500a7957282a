import { expect, test } from '@jest/globals';
import { claimDataFormat, type Upgrade } from '../../../../src/mongo/maintenance/data-format.js';
import { createTestService } from '../../../../src/testing.js';
import { corpus, useService } from '../../../support/service.js';

const client = useService();

const records = () => client.service.database.db.collection<{ _id: string; format: number }>('_format');
const read = async (): Promise<unknown> => (await records().findOne({}))?.format;
const claim = (steps: readonly Upgrade[]): Promise<void> => claimDataFormat(client.service.database.db, steps);

test('a start records the format', async () => {
  expect(await read()).toBe(1);
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
  const steps = [step('1 to 2'), step('2 to 3')];
  const waited = await Promise.all([1, 2, 3, 4].map(() => claim(steps).then(() => log.length)));
  expect(log).toEqual(['1 to 2 begins', '1 to 2 ends', '2 to 3 begins', '2 to 3 ends']);
  expect(waited).toEqual([4, 4, 4, 4]);
  expect(await read()).toBe(3);
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

test('a service refuses a newer format, and changes nothing', async () => {
  await records().updateOne({}, { $set: { format: 9 } });
  const { databaseName } = client.service.database.db;
  const uri = new URL(process.env['TEST_MONGODB_URI'] ?? '');
  uri.pathname = `/${databaseName}`;
  await expect(createTestService({ contentTypes: corpus, mongodbUri: uri.href })).rejects.toThrow(
    'The data has the format 9, this version knows 1: a newer version of the service has upgraded it',
  );
  expect(await read()).toBe(9);
  await records().updateOne({}, { $set: { format: 1 } });
});
