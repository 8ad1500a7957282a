import type { Api } from './api.js';

export interface ApiToken {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly type: 'custom' | 'read-only' | 'full-access';
  readonly permissions: readonly string[] | null;
  /** Null: never. */
  readonly expiresAt: string | null;
}

export interface NewToken {
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly string[];
  /** In milliseconds. */
  readonly lifespan: number;
}

export const readTokens = async (api: Api): Promise<readonly ApiToken[]> =>
  ((await api.get('api-tokens')).body as { readonly data: readonly ApiToken[] }).data;

/** Creates a token and returns its key, which is never shown again. */
export async function createToken(api: Api, token: NewToken): Promise<string> {
  const { body } = await api.send('POST', 'api-tokens', { body: token });
  return (body as { readonly data: { readonly accessKey: string } }).data.accessKey;
}

export const revokeToken = async (api: Api, id: number): Promise<void> => {
  await api.send('DELETE', `api-tokens/${id}`);
};
