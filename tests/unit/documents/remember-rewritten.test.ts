import { beforeAll, expect, test } from '@jest/globals';
import type { Caller } from '../../../src/documents/caller.js';
import { emptyQuery } from '../../../src/documents/context.js';
import { chain, type Interceptor, rememberRewritten } from '../../../src/documents/interceptors.js';
import type { Query } from '../../../src/query/ast.js';
import { loadCorpus } from '../../support/golden.js';

let query: Query;
beforeAll(async () => {
  const type = (await loadCorpus()).contentTypes.get('api::tag.tag');
  if (type === undefined) throw new Error('The corpus has no tags');
  query = emptyQuery(type);
});
const callerWith = (...actions: readonly string[]): Caller => ({
  kind: 'public',
  may: (action) => actions.includes(action),
});

/** Adds a page size that depends on a permission and on a state; counts its calls. */
function counting() {
  const counted = { calls: 0, state: { start: 1 } };
  const rewrite: Interceptor = (input, { caller }) => {
    counted.calls += 1;
    const limit = caller.may('more') ? 10 : 1;
    return { ...input, pagination: { form: 'offset', start: counted.state.start, limit, withCount: false } };
  };
  const remembering = rememberRewritten(
    chain([Object.assign(rewrite, { state: () => counted.state }), (same) => same]),
  );
  const ask = (caller: Caller, previewed = false) =>
    remembering(query, { action: 'find', caller, previewed }).pagination;
  return { counted, ask };
}

test('a query is rewritten once for callers with the same permissions', () => {
  const { counted, ask } = counting();
  expect(ask(callerWith('more'))).toMatchObject({ limit: 10 });
  expect(ask(callerWith('more', 'other'))).toMatchObject({ limit: 10 });
  expect(counted.calls).toBe(1);
  expect(ask(callerWith())).toMatchObject({ limit: 1 });
  expect(ask(callerWith('more'))).toMatchObject({ limit: 10 });
  expect(ask({ ...callerWith('more'), kind: 'user' })).toMatchObject({ limit: 10 });
  expect(counted.calls).toBe(4);
});

test('it is rewritten again when the state changes', () => {
  const { counted, ask } = counting();
  expect([ask(callerWith()), ask(callerWith())]).toMatchObject([{ start: 1 }, { start: 1 }]);
  counted.state = { start: 2 };
  expect(ask(callerWith())).toMatchObject({ start: 2 });
  expect(counted.calls).toBe(2);
});

test('it is rewritten each time for callers with rules and for previews', () => {
  const { counted, ask } = counting();
  const limited: Caller = { ...callerWith('more'), where: () => undefined };
  for (let count = 0; count < 2; count += 1) expect(ask(limited)).toMatchObject({ limit: 10 });
  for (let count = 0; count < 2; count += 1) expect(ask(callerWith(), true)).toMatchObject({ limit: 1 });
  expect(counted.calls).toBe(4);
});

test('only one interceptor may have a state', () => {
  const withState: Interceptor = Object.assign((same: Query) => same, { state: () => 1 });
  expect(() => chain([withState, withState])).toThrow('Only one interceptor may have a state');
});

const identities: readonly (readonly [string, Interceptor])[] = [
  ['user', (input, { caller }) => ({ ...input, parameters: { by: caller.user } })],
  ['credentials', (input, { caller }) => ({ ...input, parameters: { by: caller.credentials?.['id'] } })],
  ['identity', (input, { caller }) => ({ ...input, parameters: { by: Number(caller.identity) } })],
  ['members', (input, { caller: { ...caller } }) => ({ ...input, parameters: { by: caller.user } })],
];

test.each(identities)('an interceptor that reads the %s of the caller has to say so', (_name, intercept) => {
  const caller: Caller = { ...callerWith('more'), kind: 'user', user: 1 };
  const rewrite = rememberRewritten(chain([(same) => same, intercept]));
  expect(() => rewrite(query, { action: 'find', caller })).toThrow('`isPersonal: true`');
});

test.each(identities)('it is rewritten for each caller by an interceptor that reads its %s', (_name, read) => {
  const intercept: Interceptor = Object.assign(
    ((...args) => read(...args)) as Interceptor,
    { isPersonal: true } as const,
  );
  const rewrite = rememberRewritten(chain([intercept, (same) => same]));
  for (const user of [1, 2, 1]) {
    const who = { user, credentials: { id: user }, identity: String(user) };
    const caller: Caller = { ...callerWith('more'), kind: 'user', ...who };
    expect(rewrite(query, { action: 'find', caller }).parameters).toEqual({ by: user });
  }
});
