import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readCommand } from '../../src/cli/commands/access/access.js';
import { parseAccess } from '../../src/plugins/contract/access/parse-access.js';
import { providerPresets } from '../../src/plugins/users-permissions/providers/provider-presets.js';
import { useService } from '../support/service.js';

const page = readFileSync('docs/auth.md', 'utf8');
const client = useService();

test('the access file of the page is valid', () => {
  const content = JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? '');
  const actions = new Set(JSON.stringify(content).match(/(?:api|plugin)::[\w.-]+/g));
  const variables = { WEBSITE_TOKEN: 'x'.repeat(16), IMPORT_TOKEN: 'x'.repeat(16) };
  expect(parseAccess({ file: 'docs/auth.md', content }, { actions, contentTypes: new Map(), variables })).toMatchObject(
    {
      roles: [{ type: 'public' }, { type: 'editor' }],
      tokens: [{ name: 'website' }, { name: 'import' }],
    },
  );
});

test('the commands of the page are valid', async () => {
  const commands = [...page.matchAll(/^npx content-service access ([^#\n]+)/gm)].map(([, text = '']) =>
    text.trim().split(/\s+/),
  );
  expect(commands.length).toBeGreaterThan(5);
  for (const command of commands) expect(await readCommand(command, client.service.commands)).toHaveProperty('usage');
});

test('the page names every built-in provider', () => {
  expect(page).toContain(`\`${Object.keys(providerPresets).join(' ')}\``);
});

test('the page names existing actions only', async () => {
  const listing = client.service.commands.find(({ usage }) => usage === 'actions [word]');
  const registered = (await listing?.run({}))?.rows.map(({ action }) => action);
  const named = page.match(/plugin::users-permissions\.\w+\.\w+/g) ?? [];
  expect(named.length).toBeGreaterThan(1);
  expect(registered).toEqual(expect.arrayContaining(named));
});
