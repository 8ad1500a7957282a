import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { generatedPages } from '../support/generated-pages.js';

test('the pages of reference and .env.example are those that `npm run generate` writes', async () => {
  const pages = await generatedPages();
  for (const [path, text] of Object.entries(pages)) expect([path, readFileSync(path, 'utf8')]).toEqual([path, text]);
});
