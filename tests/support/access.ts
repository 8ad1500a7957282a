import { parseAccess } from '../../src/plugins/contract/access/parse-access.js';
import type { Service } from '../../src/app/app.js';

/** Content types of a publisher, with companies, authors and categories with editors. */
export const publisher = 'tests/fixtures/access';

/** An entry of `permissions`, as access.json has it. */
export type Permission = string | Readonly<Record<string, unknown>>;

/** Gives roles and custom tokens these permissions, as access.json declares them. */
export async function declare(
  { applyAccess, commands, registry: { contentTypes } }: Pick<Service, 'applyAccess' | 'commands' | 'registry'>,
  roles: Readonly<Record<string, readonly Permission[]>>,
  tokens: Readonly<Record<string, readonly Permission[]>> = {},
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const listing = await commands.find(({ usage }) => usage === 'actions [word]')?.run({});
  const actions = new Set(listing?.rows.map(({ action }) => String(action)));
  const content = {
    ...settings,
    roles: Object.fromEntries(Object.entries(roles).map(([type, permissions]) => [type, { permissions }])),
    tokens: Object.fromEntries(
      Object.entries(tokens).map(([name, permissions]) => [name, { type: 'custom', permissions, key: { env: name } }]),
    ),
  };
  const variables = Object.fromEntries(Object.keys(tokens).map((name) => [name, keyOf(name)]));
  await applyAccess(parseAccess({ file: 'access.json', content }, { actions, contentTypes, variables }));
}

/** The key of a token that a test declares. */
export const keyOf = (token: string): string => `key-of-the-token-${token.replaceAll(' ', '-')}`;
