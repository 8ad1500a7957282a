import { expect, test } from '@jest/globals';
import type { AppError } from '../../../../src/errors/app-error.js';
import { findIssues, objectOf, parseOnlyTexts } from '../../../../src/plugins/users-permissions/users/parse-input.js';

const texts = [{ name: 'again', repeats: 'password' }, { name: 'password' }, { name: 'current' }];

test.each([
  [{ password: 'a', again: 'a', current: 'c' }, []],
  [{ password: 'a', again: 'b' }, ['Passwords do not match', 'current is a required field']],
  [{ password: 'a', current: 'c' }, ['again is a required field']],
  [{ password: 'a', again: '', current: 'c' }, ['Passwords do not match']],
  [{ password: '', again: '', current: 'c' }, ['again is a required field', 'password is a required field']],
  [{ password: 'a', again: 5, current: 'c' }, ['again must be a `string` type, but the final value was: `5`.', 'Passwords do not match']],
])('the errors of %j', (input, messages) => {
  expect(findIssues(input, texts).map(({ message }) => message)).toEqual(messages);
}); // prettier-ignore

test('a list is no input, nothing is an empty one', () => {
  expect(() => objectOf([])).toThrow('this must be a `object` type, but the final value was: `[]`.');
  expect(objectOf(undefined)).toEqual({});
});

test('an input with more than its texts names what is more', () => {
  const unspecified = { path: [], message: 'this field has unspecified keys: url, id' };
  const issues = (input: object): unknown => {
    try {
      return parseOnlyTexts({ ...input }, [{ name: 'email' }]);
    } catch (error) {
      return (error as AppError).details?.errors;
    }
  };
  expect(issues({ email: 'a' })).toEqual({ email: 'a' });
  expect(issues({ url: '', email: 'a', id: 1 })).toMatchObject([unspecified]);
  expect(issues({ url: '', id: 1 })).toMatchObject([{ path: ['email'] }, unspecified]);
});
