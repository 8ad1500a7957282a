import { expect, test } from '@jest/globals';
import type { ContentType } from '../../../src/content-types/model/types.js';
import { refuseBypass, runnerOf, ways, type Running } from '../../../src/calls/who-answers.js';
import type { Answerer } from '../../../src/plugins/contract/answerer.js';

const type = { uid: 'api::tag.tag' } as ContentType;
const refused = (way: keyof typeof ways, answerer: Answerer): string | undefined => {
  try {
    refuseBypass(() => answerer, way, type, ['create'], '/v5/api/tags');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  ['batch', 'guarded', 'Code of the project takes part in create of api::tag.tag: use its route'],
  ['batch', 'code', 'Code of the project takes part in create of api::tag.tag: use its route'],
  ['batch', 'none', 'Code of the project takes part in create of api::tag.tag: use its route'],
  ['creationByKey', 'guarded', 'Code of the project creates the entries of api::tag.tag: use POST'],
  ['creationByKey', 'code', 'Code of the project creates the entries of api::tag.tag: use POST'],
  ['creationByKey', 'none', 'Code of the project creates the entries of api::tag.tag: use POST'],
  ['form', 'guarded', undefined],
  ['form', 'code', 'Code of the project answers create of api::tag.tag: /v5/api/tags does not'],
  ['form', 'none', undefined],
  [
    'localeByUpdate',
    'guarded',
    'Code of the project takes part in create of api::tag.tag: a PUT does not create a locale',
  ],
  [
    'localeByUpdate',
    'code',
    'Code of the project takes part in create of api::tag.tag: a PUT does not create a locale',
  ],
  ['localeByUpdate', 'none', undefined],
] as const)('%s, where the answerer is %s: %s', (way, answerer, message) => {
  expect(refused(way, answerer)).toBe(message);
});

test.each(Object.keys(ways) as (keyof typeof ways)[])('%s leads to what the core answers', (way) => {
  expect(refused(way, 'core')).toBeUndefined();
});

const plain: Running = {
  isOverridden: false,
  isObserved: false,
  isReadObserved: false,
  hasRules: false,
  namesState: false,
  publishes: false,
};
const observed = { isObserved: true } as const;
const readObserved = { isObserved: true, isReadObserved: true } as const;
const limited = { hasRules: true } as const;

test.each([
  [{}, 'core'],
  [{ namesState: true }, 'core'],
  [observed, 'code'],
  [{ ...observed, namesState: true }, 'core'],
  [{ ...observed, publishes: true }, 'core'],
  [readObserved, 'code'],
  [{ ...readObserved, namesState: true }, 'refused'],
  [{ ...readObserved, publishes: true }, 'code'],
  [{ isOverridden: true }, 'code'],
  [{ isOverridden: true, ...observed }, 'code'],
  [{ isOverridden: true, publishes: true }, 'code'],
  [{ isOverridden: true, namesState: true }, 'refused'],
  [limited, 'core'],
  [{ ...limited, ...readObserved }, 'core'],
  [{ ...limited, ...readObserved, namesState: true }, 'core'],
  [{ ...limited, isOverridden: true }, 'forbidden'],
  [{ ...limited, isOverridden: true, namesState: true }, 'forbidden'],
] as const)('%j is run by: %s', (some, runner) => {
  expect(runnerOf({ ...plain, ...some })).toBe(runner);
});
