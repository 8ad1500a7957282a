import { describe, expect, test } from '@jest/globals';
import { isQuick } from '../../../support/scaled.js';
import { explore } from './explore.js';
import { broken, scenarios, worldOf } from './scenarios.js';

const ALL_STATES = 1_000_000;
/** `npm test` explores a part of most scenarios. */
const MOST_STATES = isQuick ? 2000 : ALL_STATES;
/** A broken rule is found earlier than that. */
const MOST_STATES_OF_BROKEN = isQuick ? 15_000 : ALL_STATES;

const scenarioOf = (name: string) => {
  const scenario = scenarios[name];
  if (scenario === undefined) throw new Error(`unknown scenario "${name}"`);
  return scenario;
};

describe('every order of commands leaves whole writes', () => {
  test.each(Object.keys(scenarios))('%s', (name) => {
    const { isComplete, problems = [], steps = [] } = explore(worldOf(scenarioOf(name)), MOST_STATES);
    expect([...problems, ...steps]).toEqual([]);
    if (!isQuick) expect(isComplete).toBe(true);
  });
});

describe('it is found that a rule is broken', () => {
  test.each(broken)('%s', (rules, name) => {
    const { problems } = explore(worldOf(scenarioOf(name), rules), MOST_STATES_OF_BROKEN);
    expect(problems).toBeDefined();
  });
});
