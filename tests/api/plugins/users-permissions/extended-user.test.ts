import { expect, test } from '@jest/globals';
import { usePeople } from './users-client.js';

const people = usePeople({ contentTypes: 'tests/api/plugins/users-permissions/content-types' });
const register = (input: object) => people.send('post', '/api/auth/local/register', input);

test('the project adds attributes to users, which users can write at registration unless they are private', async () => {
  const account = { username: 'clara', email: 'clara@example.test', password: 'secret-of-clara' };
  const { status, body } = await register({ ...account, nickname: 'Cat', motto: 'hidden' });
  expect([status, body.user.nickname, body.user.motto]).toEqual([200, 'Cat', undefined]);
  const stored = await people.service.database.db.collection('up_users').findOne({ username: 'clara' });
  expect([stored?.['nickname'], stored?.['motto'], stored?.['email']]).toEqual(['Cat', undefined, account.email]);
  const short = await register({ ...account, username: 'cat', email: 'cat@example.test' });
  expect(short.body.error.message).toBe('username must be at least 5 characters');
});
