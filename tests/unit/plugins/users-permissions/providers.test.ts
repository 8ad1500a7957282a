import { describe, expect, test } from '@jest/globals';
import { StartError } from '../../../../src/errors/start-error.js';
import { providerPresets } from '../../../../src/plugins/users-permissions/providers/provider-presets.js';
import { openProviders } from '../../../../src/plugins/users-permissions/providers/providers.js';
import { readProfile } from '../../../../src/plugins/users-permissions/providers/read-profile.js';
import { parseSettings } from '../../../../src/plugins/users-permissions/settings.js';

const page = 'https://shop.test/redirect';
const parse = (providers: Readonly<Record<string, unknown>>) => parseSettings({ providers });
const mistakes = (providers: Readonly<Record<string, unknown>>): readonly string[] => {
  try {
    parse(providers);
    return [];
  } catch (error) {
    return error instanceof StartError ? error.message.split('\n') : ['no StartError'];
  }
};

/** The response of each provider, from its documentation, and the profile that it describes. */
const answers: Readonly<Record<string, readonly [answer: unknown, username: string]>> = {
  auth0: [{ sub: 'auth0|1', nickname: 'ann', name: 'Ann A', email: 'Ann@x.test', email_verified: true }, 'ann'],
  cas: [{ sub: 'ann', id: 'ann1', email: 'ann@x.test' }, 'ann1'],
  cognito: [{ sub: '1', username: 'ann', email: 'ann@x.test', email_verified: 'true' }, 'ann'],
  discord: [{ id: '1', username: 'ann', discriminator: '0', email: 'ann@x.test', verified: true }, 'ann'],
  facebook: [{ id: '1', name: 'Ann A', email: 'ann@x.test' }, 'Ann A'],
  github: [{ id: 1, login: 'ann', email: 'ann@x.test' }, 'ann'],
  google: [{ sub: '1', email: 'ann@x.test', email_verified: true }, 'ann'],
  keycloak: [{ sub: '1', preferred_username: 'ann-a', email: 'ann@x.test', email_verified: true }, 'ann-a'],
  linkedin: [{ sub: '1', given_name: 'Ann', name: 'Ann A', email: 'ann@x.test', email_verified: true }, 'Ann'],
  microsoft: [{ id: '1', userPrincipalName: 'ann@x.test', mail: 'other@x.test' }, 'ann@x.test'],
  patreon: [{ data: { attributes: { full_name: 'Ann A', email: 'ann@x.test', is_email_verified: true } } }, 'Ann A'],
  twitch: [{ data: [{ id: '1', login: 'ann', email: 'ann@x.test' }] }, 'ann'],
};

describe('the profile of', () => {
  test.each(Object.entries(providerPresets))('%s has an address and a name', (name, { profile }) => {
    const [answer, username] = answers[name] ?? [];
    expect(readProfile(name, answer, profile)).toEqual({ provider: name, email: 'ann@x.test', username });
  });

  test.each(Object.entries(providerPresets))('%s without an email address is refused', (name, { profile }) => {
    for (const answer of [{}, [], null, 'text', { data: [] }, { email: 5 }, { email: 'no address' }]) {
      expect(() => readProfile(name, answer, profile)).toThrow('Email was not available.');
    }
  });

  test.each(['auth0', 'cognito', 'discord', 'google', 'keycloak', 'linkedin'])('%s must be verified', (name) => {
    const source = providerPresets[name]?.profile;
    const [answer] = answers[name] ?? [];
    const unverified = { ...(answer as object), [source?.verified ?? '']: false };
    expect(() => source && readProfile(name, unverified, source)).toThrow('Email is not verified.');
  });

  test('github without an email address uses the primary verified one of the list', () => {
    const source = providerPresets['github']?.profile;
    if (source === undefined) throw new Error('github is unknown');
    const read = (addresses: unknown) => readProfile('github', { login: 'ann', email: null }, source, addresses).email;
    const second = { email: 'second@x.test', primary: false, verified: true };
    expect(read([second, { email: 'Main@x.test', primary: true, verified: true }])).toBe('main@x.test');
    expect(() => read([second, { email: 'main@x.test', primary: true, verified: false }])).toThrow('not available');
    expect(() => read({ message: 'Not Found' })).toThrow('not available');
  });
});

describe('settings of providers', () => {
  const whole = { enabled: true, key: 'k', secret: 's', callback: page };

  test('are those of Strapi v4', () => {
    const { providers, passwords } = parse({
      google: { ...whole, icon: 'google', scope: ['email'] },
      email: { enabled: true },
    });
    expect([passwords, providers]).toMatchObject([
      true,
      [{ name: 'google', key: 'k', secret: 's', callback: page, scope: ['email'], acceptAccessTokens: false }],
    ]);
    expect(parse({}).passwords).toBe(true);
    expect(parse({ email: { enabled: false } }).passwords).toBe(false);
  });

  test('of a disabled provider can be incomplete', () => {
    expect(parse({ google: { enabled: false, key: '' }, anything: {} }).providers).toEqual([]);
  });

  test('are refused with all errors together', () => {
    const settings = {
      gogle: whole,
      github: { enabled: true, callback: '/page', scope: 'user' },
      keycloak: whole,
      house: { ...whole, issuer: 'http://id.test' },
      'Not Kebab': { ...whole, issuer: 'https://id.test' },
      list: [],
      email: { enabled: 'no' },
    };
    expect(mistakes(settings)).toEqual([
      'Plugin users-permissions: config.providers.gogle names an unknown provider "gogle"; did you mean "google"?; others need an "issuer"',
      'Plugin users-permissions: config.providers.github.callback "/page" must be a URL that begins with http:// or https://',
      'Plugin users-permissions: config.providers.github.scope "user" must be a list of strings',
      'Plugin users-permissions: config.providers.github.key is missing',
      'Plugin users-permissions: config.providers.github.secret is missing',
      'Plugin users-permissions: config.providers.keycloak.subdomain is missing',
      'Plugin users-permissions: config.providers.house.issuer "http://id.test" must be a URL that begins with https://, or one of this machine',
      'Plugin users-permissions: config.providers.Not Kebab must have a name in kebab-case, e.g. "blog-post"',
      'Plugin users-permissions: config.providers.list must be an object',
      'Plugin users-permissions: config.providers.email.enabled "no" must be true or false',
    ]);
  });

  test('refuse a table of roles with an error, whose claims are not checked, or that takes tokens of others', () => {
    const row = { claim: 'groups', value: 'chiefs', role: 'chief' };
    const issuer = 'https://id.test';
    const at = 'Plugin users-permissions: config.providers';
    expect(mistakes({ house: { ...whole, issuer, roles: [row] } })).toEqual([]);
    expect(
      mistakes({ house: { ...whole, issuer, roles: [{ ...row, value: '' }, { claim: 'x', rol: 'y' }, 5] } }),
    ).toEqual([
      `${at}.house.roles.0.value "" must be a string that is not empty`,
      `${at}.house.roles.1.rol is unknown; did you mean "role"?`,
      `${at}.house.roles.1.value is missing`,
      `${at}.house.roles.1.role is missing`,
      `${at}.house.roles.2 5 must be an object`,
    ]);
    expect(
      mistakes({ google: { ...whole, roles: [row] }, house: { ...whole, issuer, roles: { groups: 'chief' } } }),
    ).toEqual([
      `${at}.google.roles needs a provider with an "issuer", whose claims are checked`,
      `${at}.house.roles must be a list`,
    ]);
    // A Strapi project starts without a provider that has an error, but not without what guards accounts.
    const told: string[] = [];
    const tolerant = (house: object) => parseSettings({ providers: { house } }, (line) => void told.push(line));
    expect(tolerant({ ...whole, issuer, key: '' }).providers).toEqual([]);
    expect(told).toHaveLength(1);
    expect(() => tolerant({ ...whole, issuer, key: '', roles: [row] })).toThrow('house.key is missing');
    const passwords = { email: { enabled: 'false' } };
    expect(() => parseSettings({ providers: passwords }, () => undefined)).toThrow('must be true or false');
    expect(mistakes({ house: { ...whole, issuer, roles: [row], acceptAccessTokens: true } })).toEqual([
      `${at}.house.roles cannot stand beside acceptAccessTokens: another application could have got the token`,
    ]);
  });

  test('require PUBLIC_URL', () => {
    const { providers } = parse({ google: whole });
    const secrets = { jwt: 'x', apiTokenSalt: 'x' };
    const unused = () => Promise.reject(new Error('not called'));
    const locks = { claim: unused, release: unused, hold: unused, put: unused, take: unused };
    expect(() => openProviders(providers, { publicUrl: undefined, prefix: '/api', secrets, locks })).toThrow(
      'PUBLIC_URL is missing',
    );
    expect(openProviders([], { publicUrl: undefined, prefix: '/api', secrets, locks }).byName.size).toBe(0);
  });
});
