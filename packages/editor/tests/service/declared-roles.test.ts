import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { corpus, useService } from '../../../../tests/support/service.js';

/** The content types of the corpus, with a file that declares a role. */
const contentTypes = fs.mkdtempSync(path.join(os.tmpdir(), 'declared-'));
fs.cpSync(corpus, contentTypes, { recursive: true });
const access = { roles: { authenticated: { permissions: ['api::article.article.find'] } } };
fs.writeFileSync(path.join(contentTypes, 'access.json'), JSON.stringify(access));
afterAll(() => fs.rmSync(contentTypes, { recursive: true }));

const client = useService({ contentTypes, plugins: { admin: true } });

test('the editor knows the roles whose permissions come back at the next start', async () => {
  expect((await client.get('/api/admin/content')).body.data.declaredRoles).toEqual(['authenticated']);
});
