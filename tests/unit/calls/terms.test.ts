import { expect, test } from '@jest/globals';
import { termsOf } from '../../../src/calls/terms.js';
import { refuseAll, type Term } from '../../../src/plugins/contract/write-terms.js';

/** Each term as a request asks for it. */
const asked: Readonly<Record<Term, Parameters<typeof termsOf>[0]>> = {
  'If-Match': { headers: { 'if-match': '"a"' }, query: {} },
  'If-None-Match': { headers: { 'if-none-match': '*' }, query: {} },
  'Idempotency-Key': { headers: { 'idempotency-key': 'k' }, query: {} },
  dryRun: { headers: {}, query: { dryRun: 'true' } },
};
const terms = Object.keys(asked) as Term[];

test.each(terms)('%s is refused with the reason of the write', (term) => {
  const message = `${term} is not supported here: it writes`;
  expect(() => termsOf(asked[term], { [term]: 'it writes' })).toThrow(message);
  expect(() => termsOf(asked[term], refuseAll('it writes'))).toThrow(message);
  const { [term]: _, ...others } = refuseAll('it writes');
  expect(termsOf(asked[term], others)).toEqual({
    condition: { 'If-Match': { match: new Set(['"a"']) }, 'If-None-Match': { absent: true } }[term as 'If-Match'],
    isDryRun: term === 'dryRun',
  });
});

test('a request without terms has none, whatever is refused', () => {
  const none = { headers: {}, query: { dryRun: 'false' } };
  expect(termsOf(none, refuseAll('it writes'))).toEqual({ condition: undefined, isDryRun: false });
});

test('a dry run is true or false, and has no files', () => {
  expect(() => termsOf({ headers: {}, query: { dryRun: 'yes' } }, {})).toThrow('Invalid parameter dryRun');
  const form = { headers: { 'content-type': 'multipart/form-data; boundary=x' }, query: { dryRun: 'true' } };
  expect(() => termsOf(form, {})).toThrow('dryRun needs a body in JSON');
});
