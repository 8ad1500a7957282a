import { afterEach, expect, jest, test } from '@jest/globals';
import { createApi } from '../../src/browser/api/api.js';
import { english } from '../../src/browser/language/english/english.js';

afterEach(() => void jest.restoreAllMocks());

test('a request has the token of the moment, and ends the log-in only if that is refused', async () => {
  let token = 'before';
  const used: unknown[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation((_, init) => {
    used.push(new Headers(init?.headers).get('Authorization'));
    token = 'after';
    return Promise.resolve(Response.json({ error: { message: 'Unauthorized' } }, { status: 401 }));
  });
  const onEnd = jest.fn();
  const api = createApi({ prefix: '/api', texts: english, token: () => token, onEnd });
  await expect(api.get('articles')).rejects.toThrow('Your log-in has ended');
  expect(onEnd).not.toHaveBeenCalled();
  await expect(api.get('articles')).rejects.toThrow('Your log-in has ended');
  expect(onEnd).toHaveBeenCalledTimes(1);
  expect(used).toEqual(['Bearer before', 'Bearer after']);
});

test('what a status always means, it means for each error in the details', async () => {
  const message = 'The entry has changed';
  const errors = [{ path: ['operations', '1', 'data'], message }];
  const error = { message: `operations[1]: ${message}`, details: { errors } };
  jest.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ error }, { status: 412 }));
  const api = createApi({ prefix: '/api', texts: english, token: () => undefined, onEnd: () => undefined });
  await expect(api.send('POST', 'batch', { body: {} })).rejects.toMatchObject({
    details: { errors: [{ path: errors[0]?.path, message: english.refusals.changed }] },
  });
});
