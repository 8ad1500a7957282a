import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const client = { key: 'the-client', secret: 'the-secret-of-the-client' };

/** An OpenID provider where everybody agrees at once to log in as `person`. */
export interface OpenIdProvider {
  readonly issuer: string;
  /** The claims of the user who logs in. */
  person: Readonly<Record<string, unknown>>;
  /** False claims in id tokens. */
  idToken: Readonly<Record<string, unknown>>;
  /** An access token that another application got for `person`. */
  giveToken(): string;
  close(): Promise<void>;
}

interface Grant {
  readonly redirect: string;
  readonly nonce: string | null;
  readonly challenge: string | null;
}

/** The least of OpenID Connect that a client needs, and every check that a provider makes of it. */
export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const codes = new Map<string, Grant>();
  const tokens = new Map<string, unknown>();
  const provider = { issuer: '', person: {} as OpenIdProvider['person'], idToken: {} as OpenIdProvider['idToken'] };
  const giveToken = (): string => {
    const token = randomUUID();
    tokens.set(token, provider.person);
    return token;
  };
  const configuration = () => ({
    issuer: provider.issuer,
    authorization_endpoint: `${provider.issuer}/authorize`,
    token_endpoint: `${provider.issuer}/token`,
    userinfo_endpoint: `${provider.issuer}/me`,
  });
  const authorize = (query: URLSearchParams): string => {
    const redirect = new URL(query.get('redirect_uri') ?? '');
    if (query.get('client_id') !== client.key || query.get('response_type') !== 'code')
      throw new Error('invalid_client');
    const code = randomUUID();
    codes.set(code, { redirect: redirect.href, nonce: query.get('nonce'), challenge: query.get('code_challenge') });
    redirect.searchParams.set('code', code);
    redirect.searchParams.set('state', query.get('state') ?? '');
    return redirect.href;
  };
  const exchange = (form: URLSearchParams, authorization = ''): object => {
    const expected = `Basic ${Buffer.from(`${client.key}:${client.secret}`).toString('base64')}`;
    const granted = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (authorization !== expected) throw new Error('invalid_client');
    if (granted?.redirect !== form.get('redirect_uri') || granted.challenge !== verifier)
      throw new Error('invalid_grant');
    const now = Math.floor(Date.now() / 1000);
    const { issuer: iss, person } = provider;
    const claims = { iss, aud: client.key, sub: person['sub'], nonce: granted.nonce, iat: now, exp: now + 60 };
    const parts = [{ alg: 'RS256' }, { ...claims, ...provider.idToken }].map((part) => JSON.stringify(part));
    const encoded = parts.map((part) => Buffer.from(part).toString('base64url'));
    return { access_token: giveToken(), token_type: 'Bearer', id_token: `${encoded.join('.')}.signature` };
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', provider.issuer);
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    try {
      const { authorization = '' } = request.headers;
      if (url.pathname === '/authorize') response.writeHead(302, { Location: authorize(url.searchParams) }).end();
      else if (url.pathname === '/token') answer(200, exchange(await readForm(request), authorization));
      else if (url.pathname === '/me') {
        const person = tokens.get(authorization.replace('Bearer ', ''));
        answer(person === undefined ? 401 : 200, person ?? {});
      } else answer(200, configuration());
    } catch (error) {
      answer(400, { error: (error as Error).message });
    }
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(provider, {
    giveToken,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  });
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return new URLSearchParams(text);
}
