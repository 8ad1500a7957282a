import { expect, test } from '@jest/globals';
import { createQuota } from '../../../src/documents/quota.js';
import { tools, type Session } from '../src/tools.js';

class Counted extends Error {}

test('one caller has one download at a time, and leaves room for others', async () => {
  const downloads = createQuota({ all: 2, perCaller: 1 }, 'full');
  const upload = async (owner: string) => {
    const countWrite = (): Promise<never> => Promise.reject(new Counted());
    await tools['upload_file']?.run({ downloads, owner, countWrite } as unknown as Session, {
      url: 'https://example.org/a.png',
    });
  };
  const leave = downloads.take('busy');
  // It is not counted as a write either.
  await expect(upload('busy')).rejects.toMatchObject({ code: 'tooManyRequests' });
  await expect(upload('other')).rejects.toThrow(Counted);
  await expect(upload('other')).rejects.toThrow(Counted);
  leave();
  await expect(upload('busy')).rejects.toThrow(Counted);
});
