import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { changePermissions } from '../../../../src/plugins/contract/access/change-permissions.js';

const project = mkdtempSync(path.join(os.tmpdir(), 'permissions-'));
afterAll(() => rmSync(project, { recursive: true }));

test('the permissions of a deleted type go from the access.json that the start reads, also beside another folder', async () => {
  const folders = { project, contentTypes: path.join(project, 'types'), data: path.join(project, '.data') };
  for (const name of ['types', 'content-types']) mkdirSync(path.join(project, name));
  const access = { roles: { public: { permissions: ['api::tag.tag.find', 'api::author.author.find'] } } };
  writeFileSync(path.join(project, 'content-types', 'access.json'), JSON.stringify(access));
  const [changed] = await changePermissions({ folders, drafts: 'open' }, undefined, [], new Set(['api::tag.tag']));
  expect(changed?.name).toBe(path.join('..', 'content-types', 'access.json'));
  expect(JSON.parse(changed?.after ?? '')).toEqual({ roles: { public: { permissions: ['api::author.author.find'] } } });
});
