import { expect, test } from '@jest/globals';
import { openEarlierVersions } from '../../../../src/mongo/cache/earlier-versions.js';
import { useClock } from '../../../support/clock.js';

const clock = useClock();
const type = 'api::article.article';
const log = async () => [];

test('versions are those of the start, and then those of at least a second before', async () => {
  let version = 0;
  const read = async () => new Map([[type, { version: String((version += 1)), log }]]);
  const earlier = openEarlierVersions({ read }, [type]);
  const seen = async () => (await earlier())?.get(type)?.version;
  const shown = [await seen(), await seen()];
  for (const milliseconds of [1000, 500, 500, 60_000, 1000]) {
    clock.pass(milliseconds);
    shown.push(await seen());
  }
  expect(shown).toEqual(['1', '1', '1', '1', '2', '3', '4']);
});

test('versions whose read took long are used a second after its end', async () => {
  const reads: ((version: string) => void)[] = [];
  const read = async () => {
    const version = await new Promise<string>((resolve) => {
      reads.push(resolve);
    });
    return new Map([[type, { version, log }]]);
  };
  const earlier = openEarlierVersions({ read }, [type]);
  reads[0]?.('1');
  await earlier();
  const seen = async () => (await earlier())?.get(type)?.version;
  clock.pass(1000);
  const shown = [await seen()];
  clock.pass(5000);
  shown.push(await seen());
  reads[1]?.('2');
  await new Promise(setImmediate);
  for (const milliseconds of [500, 500]) {
    clock.pass(milliseconds);
    shown.push(await seen());
  }
  expect(shown).toEqual(['1', '1', '1', '2']);
});

test('versions that could not be read are not known', async () => {
  const earlier = openEarlierVersions({ read: async () => Promise.reject(new Error('The database is away')) }, [type]);
  expect(await earlier()).toBeUndefined();
});
