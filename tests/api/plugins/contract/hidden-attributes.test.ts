import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { useService } from '../../../support/service.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'marks-'));
const file = path.join(folder, 'marks.mjs');
fs.writeFileSync(
  file,
  `export default () => ({
    name: 'marks',
    attributes: ({ uid }) => uid === 'api::tag.tag'
      ? { mark: { type: 'string' }, own: { type: 'string', private: true, visible: false } }
      : undefined,
  });`,
);
afterAll(() => fs.rmSync(folder, { recursive: true }));
const client = useService({ plugins: { marks: { resolve: file }, admin: true } });

test('an attribute of a plugin alone is in no answer, filter or form', async () => {
  await client.create('tags', { name: 'News', mark: 'seen' });
  const { body } = await client.get('/api/tags');
  expect(body.data[0].attributes).toMatchObject({ mark: 'seen' });
  expect(body.data[0].attributes).not.toHaveProperty('own');
  expect((await client.get('/api/tags?filters[own][$null]=true')).status).toBe(400);
  const content = (await client.get('/api/admin/content')).body.data;
  const tag = content.contentTypes.find(({ uid }: { uid: string }) => uid === 'api::tag.tag');
  const names: readonly string[] = tag.attributes.map(({ name }: { name: string }) => name);
  expect(names).toContain('mark');
  expect(names).not.toContain('own');
});
