import { expect, test } from '@jest/globals';
import { encode } from 'uqr';
import { drawCode } from '../../src/browser/log-in/code-picture.js';

const address = 'otpauth://totp/cms.example.org:ann?issuer=cms.example.org&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

test('draws the dark squares of the code, with a margin of four on each side', () => {
  const { size, path } = drawCode(address);
  const drawn = new Set([...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`));
  const { data } = encode(address, { ecc: 'M', border: 0 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x + 4} ${y + 4}`] : [])));
  expect([size, drawn]).toEqual([data.length + 8, new Set(dark)]);
});

test('another key is another picture', () => {
  expect(drawCode(address).path).not.toBe(drawCode(address.replace('JBSWY', 'KBSWY')).path);
});
