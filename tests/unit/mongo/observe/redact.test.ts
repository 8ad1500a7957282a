import { expect, test } from '@jest/globals';
import { redact } from '../../../../src/mongo/observe/observe-commands.js';

test('a redacted command keeps structure, names and numbers, and loses client values', () => {
  const command = {
    aggregate: 'users',
    $db: 'content',
    pipeline: [
      { $match: { email: 'ann@example.org', code: { $in: ['secret', 3] }, name: /ann/i, 'a.b': '$not a field' } },
      { $lookup: { from: 'roles', localField: 'role', foreignField: '_id', as: 'role' } },
      { $set: { x: '$name', y: { $literal: '$name' } } },
      { $limit: 10 },
    ],
  };
  expect(redact(command)).toEqual({
    aggregate: 'users',
    $db: 'content',
    pipeline: [
      { $match: { email: '?', code: { $in: ['?', 3] }, name: '?', 'a.b': '?' } },
      { $lookup: { from: 'roles', localField: 'role', foreignField: '_id', as: 'role' } },
      { $set: { x: '$name', y: { $literal: '?' } } },
      { $limit: 10 },
    ],
  });
  expect(redact({ insert: 'users', documents: [{ name: 'Ann' }] })).toEqual({ insert: 'users', documents: '?' });
});
