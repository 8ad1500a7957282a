import { expect, test } from '@jest/globals';
import fc from '../../../support/fast-check.js';
import { networkOf } from '../../../../src/mongo/coordination/rate-limits.js';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
  ['unknown', 'unknown'],
])('%s belongs to %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('all addresses of a /64 share one network, different /64 do not', () => {
  const groups = (count: number) =>
    fc.array(fc.integer({ min: 1, max: 0xff_ff }), { minLength: count, maxLength: count });
  fc.assert(
    fc.property(groups(4), groups(4), groups(4), groups(4), (first, second, one, two) => {
      const addressOf = (...parts: number[][]) =>
        parts
          .flat()
          .map((part) => part.toString(16))
          .join(':');
      expect(networkOf(addressOf(first, one))).toBe(networkOf(addressOf(first, two)));
      fc.pre(addressOf(first) !== addressOf(second));
      expect(networkOf(addressOf(first, one))).not.toBe(networkOf(addressOf(second, one)));
    }),
  );
});
