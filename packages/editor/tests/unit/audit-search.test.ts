import { expect, test } from '@jest/globals';
import fc from '../../../../tests/support/fast-check.js';
import { auditFilters, everything, formatAuditSearch, parseAuditSearch } from '../../src/browser/audit/audit-search.js';

test('an address has all of a search, and nothing else', () => {
  const digits = fc.oneof(
    fc.constant(''),
    fc.nat().map((id) => String(id)),
  );
  const day = fc.constantFrom('', '2030-01-31', '1999-12-01');
  const search = fc.record({
    page: fc.integer({ min: 1, max: 1000 }),
    action: fc.constantFrom('', 'create', 'failedLogin'),
    of: fc.constantFrom('', 'api::article.article', 'plugin::users-permissions.user'),
    entry: digits,
    user: digits,
    from: day,
    to: day,
  });
  fc.assert(fc.property(search, (one) => expect(parseAuditSearch(formatAuditSearch(one))).toEqual(one)));
  expect(formatAuditSearch(everything)).toBe('');
  fc.assert(
    fc.property(
      fc.record({ page: fc.string(), entry: fc.string(), user: fc.string(), from: fc.string() }),
      (strange) => {
        const parsed = parseAuditSearch(new URLSearchParams(strange).toString());
        expect(parseAuditSearch(formatAuditSearch(parsed))).toEqual(parsed);
      },
    ),
  );
});

test('days are those of who looks, and the last one is included', () => {
  expect(auditFilters(everything)).toEqual({});
  const filters = auditFilters({ ...everything, user: '7', from: '2030-01-31', to: '2030-01-31' });
  expect(filters).toEqual({
    kind: { $eq: 'user' },
    user: { $eq: '7' },
    at: { $gte: new Date(2030, 0, 31).toISOString(), $lt: new Date(2030, 1, 1).toISOString() },
  });
  expect(auditFilters({ ...everything, of: 'api::tag.tag', entry: '3', action: 'delete' })).toEqual({
    of: { $eq: 'api::tag.tag' },
    entry: { $eq: '3' },
    action: { $eq: 'delete' },
  });
});
