import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { packagesOfPlugins } from '../../src/config/optional-package.js';
import { parseSettings as graphql } from '../../src/graphql/settings.js';
import { parseSettings as apiTokens } from '../../src/plugins/api-tokens/api-tokens.js';
import { parseSettings as i18n } from '../../src/plugins/i18n/settings.js';
import { parseSettings as upload } from '../../src/plugins/upload/settings.js';
import { parseSettings as usersPermissions } from '../../src/plugins/users-permissions/settings.js';

type Parse = (settings: Readonly<Record<string, unknown>>) => unknown;

const ofCore = { 'api-tokens': apiTokens, graphql, i18n, upload, 'users-permissions': usersPermissions };
const ofPackages = [...packagesOfPlugins].filter(([, name]) => existsSync(`packages/${name}/src/settings.ts`));
const parsers = new Map<string, Parse>(Object.entries(ofCore));
beforeAll(async () => {
  for (const [plugin, name] of ofPackages) {
    const { parseSettings } = (await import(`../../packages/${name}/src/settings.js`)) as { parseSettings: Parse };
    parsers.set(plugin, parseSettings);
  }
});
const page = readFileSync('docs/reference/plugin-settings.md', 'utf8');

/** The settings that a plugin allows, as it says when it refuses another. */
function allowedBy(parse: Parse): readonly string[] {
  try {
    parse({ nonsense: 1 });
  } catch (error) {
    return (error as Error).message.replace(/^.*allowed: /s, '').split(/, | and /);
  }
  throw new Error('It allows everything');
}

/** The names in the first column of the tables of a text. */
const named = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/^\| `(\w+)[.\w]*` +\|/gm)].map(([, name = '']) => name)),
];

const plugins = [...Object.keys(ofCore), ...ofPackages.map(([plugin]) => plugin)];
test.each(plugins)('the page has every setting of %s, and no other', (name) => {
  const parse = parsers.get(name) as Parse;
  const [, section = ''] = page.split(`\n## ${name}\n`);
  const [settings = ''] = section.split(/\n## |\n`apolloServer` supports/);
  expect(named(settings).toSorted()).toEqual([...allowedBy(parse)].toSorted());
});

test('the page has every option of apolloServer', () => {
  const [, options = ''] = page.split(/\n`apolloServer` supports/);
  const [section = ''] = options.split('\n## ');
  expect(named(section).toSorted()).toEqual(
    [...allowedBy((settings) => graphql({ apolloServer: settings }))].toSorted(),
  );
});

test('no other page has a table of them', () => {
  const settings = new Set([...parsers.values()].flatMap((parse) => allowedBy(parse)));
  const others = readdirSync('docs').filter((name) => name.endsWith('.md'));
  const twice = others.flatMap((name) =>
    named(readFileSync(`docs/${name}`, 'utf8')).filter((setting) => settings.has(setting) && /[A-Z]/.test(setting)),
  );
  expect(twice).toEqual([]);
});
