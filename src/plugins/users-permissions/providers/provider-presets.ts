/** How to read a user's profile from a provider. Paths refer to its response, e.g. `data.0.email`. */
export interface ProfileSource {
  /** The URL of the profile; `[subdomain]` is replaced by the setting. */
  readonly url: string;
  readonly email: string;
  /** The path of a flag; false means that the address is not verified. */
  readonly verified?: string;
  /** Paths of the name; the first existing one is used. Otherwise it is the part of the address before the @. */
  readonly username: readonly string[];
  /** Where all addresses are, for profiles without one: `[{ email, primary, verified }]`. */
  readonly addresses?: string;
}

export interface ProviderPreset {
  /** The default scopes. */
  readonly scope: readonly string[];
  readonly profile: ProfileSource;
}

/** The standard claims of OpenID Connect: https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims */
const openId = (url: string, ...username: readonly string[]): ProviderPreset => ({
  scope: ['openid', 'email', 'profile'],
  profile: { url, email: 'email', verified: 'email_verified', username },
});

/** Any provider that speaks OpenID Connect; its addresses are discovered. */
export const anyOpenId = openId('', 'preferred_username', 'nickname', 'name');

/** Strapi v4's providers that return an address, by Strapi's names; grant knows their authorization URLs. */
export const providerPresets: Readonly<Record<string, ProviderPreset>> = {
  auth0: openId('https://[subdomain].auth0.com/userinfo', 'username', 'nickname', 'name'),
  cas: {
    scope: ['openid', 'email'],
    profile: { url: 'https://[subdomain]/oidc/profile', email: 'email', username: ['id', 'sub'] },
  },
  cognito: openId('https://[subdomain]/oauth2/userInfo', 'cognito:username', 'username'),
  discord: {
    scope: ['identify', 'email'],
    profile: {
      url: 'https://discord.com/api/users/@me',
      email: 'email',
      verified: 'verified',
      username: ['username'],
    },
  },
  facebook: {
    scope: ['email'],
    profile: { url: 'https://graph.facebook.com/me?fields=name,email', email: 'email', username: ['name'] },
  },
  github: {
    scope: ['user', 'user:email'],
    profile: {
      url: 'https://api.github.com/user',
      email: 'email',
      username: ['login'],
      addresses: 'https://api.github.com/user/emails',
    },
  },
  google: { ...openId('https://openidconnect.googleapis.com/v1/userinfo'), scope: ['openid', 'email'] },
  keycloak: openId('https://[subdomain]/protocol/openid-connect/userinfo', 'preferred_username'),
  linkedin: openId('https://api.linkedin.com/v2/userinfo', 'given_name'),
  microsoft: {
    scope: ['user.read'],
    profile: {
      url: 'https://graph.microsoft.com/v1.0/me',
      email: 'userPrincipalName',
      username: ['userPrincipalName'],
    },
  },
  patreon: {
    scope: ['identity', 'identity[email]'],
    profile: {
      url: 'https://www.patreon.com/api/oauth2/v2/identity?fields[user]=full_name,email,is_email_verified',
      email: 'data.attributes.email',
      verified: 'data.attributes.is_email_verified',
      username: ['data.attributes.full_name'],
    },
  },
  twitch: {
    scope: ['user:read:email'],
    profile: { url: 'https://api.twitch.tv/helix/users', email: 'data.0.email', username: ['data.0.login'] },
  },
};
