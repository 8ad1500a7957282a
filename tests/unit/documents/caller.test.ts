import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { anonymous, withReceiver } from '../../../src/documents/caller.js';

test('a caller may have many reads made for one answer at once, without a warning of a leak', () => {
  const answer = Object.assign(new EventEmitter(), { destroyed: false });
  expect(withReceiver(anonymous, answer)).toEqual({ ...anonymous, recipient: answer });
  expect(answer.getMaxListeners()).toBe(0);
});
