import { expect, test } from '@jest/globals';
import { isEmail } from '../../../../src/documents/input/validate/is-email.js';

test.each(['a@b.de', 'A.b+c@x-y.example', 'ä@x.de', 'a@ü.de', '"a b"@x.de', 'a@b_c.de', 'a@b.c.de', 'a@1.de'])(
  'takes %s, as yup does',
  (address) => expect(isEmail(address)).toBe(true),
);

test.each(['', 'a', '@b.de', 'a@b', 'a@b.de.', 'a@b.1', 'a..b@c.de', '.a@b.de', 'a b@c.de', 'a@b@c.de', 'a@[127.0.0.1]', 'a@-b.de'])(
  'refuses "%s", as yup does',
  (address) => expect(isEmail(address)).toBe(false),
); // prettier-ignore

test('long texts end', () => {
  expect(isEmail(`a@${'a.'.repeat(200_000)}!`)).toBe(false);
  expect(isEmail('a'.repeat(200_000))).toBe(false);
});
