import { expect, test } from '@jest/globals';
import { MongoNetworkError } from 'mongodb';
import { tellPlugins } from '../../../src/app/tell-plugins.js';
import type { EntryChange, Plugin } from '../../../src/plugin.js';
import { loadCorpus } from '../../support/golden.js';

const tag = { type: 'api::tag.tag', id: 1, names: ['name'], links: { articles: [2] } };
const copy = { type: 'copy::tag.tag', id: 1 };

function listeners() {
  const heard: [string, readonly EntryChange[]][] = [];
  const errors: unknown[] = [];
  const fail = (): never => {
    throw new Error('down');
  };
  const plugins: readonly Plugin[] = [
    { name: 'deaf' },
    { name: 'broken', onChanges: fail },
    { name: 'rejecting', onChanges: async () => fail() },
    { name: 'whole', onChanges: async (changes) => void heard.push(['whole', changes]) },
    { name: 'other', onChanges: (changes) => void heard.push(['other', changes]) },
  ];
  return { plugins, heard, errors, log: { error: (_: unknown, text?: string) => void errors.push(text) } };
}

test('each plugin that listens hears the types and ids, and one that fails is logged and stops no other', async () => {
  const { plugins, heard, errors, log } = listeners();
  await tellPlugins(plugins, [tag, copy, { type: 'api::page.page' }], await loadCorpus(), log);
  const told = [
    { type: 'api::tag.tag', id: 1 },
    { type: 'api::page.page', id: undefined },
  ];
  expect(heard).toEqual([
    ['whole', told],
    ['other', told],
  ]);
  expect(errors).toEqual([
    'After a write, which is stored, the plugin broken failed',
    'After a write, which is stored, the plugin rejecting failed',
  ]);
});

test('a write is not acknowledged before each plugin has heard of it that needs the database', async () => {
  const { plugins, heard, errors, log } = listeners();
  const cutOff = { name: 'cut off', onChanges: () => Promise.reject(new MongoNetworkError('cut off')) };
  const telling = tellPlugins([cutOff, ...plugins], [tag], await loadCorpus(), log);
  await expect(telling).rejects.toMatchObject({ code: 'unavailable' });
  expect([heard.length, errors.length]).toEqual([2, 2]);
});

test('nobody hears of nothing, or of working copies alone', async () => {
  const { plugins, heard, errors, log } = listeners();
  for (const changes of [[], [copy]]) await tellPlugins(plugins, changes, await loadCorpus(), log);
  expect([heard, errors]).toEqual([[], []]);
});
