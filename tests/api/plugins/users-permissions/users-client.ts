import request from 'supertest';
import type { Access } from '../../../../src/plugins/contract/access/access.js';
import type { TestService, TestServiceOptions } from '../../../../src/testing.js';
import { useService, type Answer } from '../../../support/service.js';

type Method = 'get' | 'post' | 'put' | 'delete';

/** A user who is logged in. */
export interface AuthUser {
  readonly id: number;
  readonly jwt: string;
  readonly email: string;
}

export interface UserCache {
  readonly service: TestService;
  /** Sends a request as the user of the token; without one anonymously. */
  send(method: Method, path: string, body?: unknown, token?: string): Promise<Answer>;
  /** Sends a request with all rights. */
  sendFreely(method: Method, path: string, body?: unknown): Promise<Answer>;
  logIn(identifier: unknown, password: unknown): Promise<Answer>;
  /** Registers a user of this name, with the address `<name>@example.test` and the password `secret-of-<name>`. */
  register(name: string): Promise<AuthUser>;
  /** Lets a role do exactly these actions. */
  allow(type: string, permissions: readonly string[]): Promise<void>;
  /** A custom API token that may do exactly these actions. */
  token(name: string, permissions: readonly string[]): Promise<string>;
}

/** A service on the corpus's content types, and what tests about users need of it. */
export function usePeople(options: TestServiceOptions = {}): UserCache {
  const client = useService(options);
  const send: UserCache['send'] = async (method, path, body, token) => {
    const sending = request(client.service.url)[method](path);
    if (token !== undefined) void sending.set('Authorization', `Bearer ${token}`);
    return body === undefined ? sending : sending.send(body as object);
  };
  const apply = (access: Partial<Access>): Promise<void> =>
    client.service.applyAccess({ roles: [], tokens: [], locales: [], ...access });
  return {
    get service() {
      return client.service;
    },
    send,
    sendFreely: (method, path, body) => send(method, path, body, client.service.token),
    logIn: (identifier, password) => send('post', '/api/auth/local', { identifier, password }),
    register: async (name) => {
      const input = { username: name, email: `${name}@example.test`, password: `secret-of-${name}` };
      const { status, body } = await send('post', '/api/auth/local/register', input);
      if (status !== 200) throw new Error(`register ${name}: ${status} ${JSON.stringify(body)}`);
      return { id: body.user.id as number, jwt: body.jwt as string, email: body.user.email as string };
    },
    allow: (type, permissions) => apply({ roles: [{ type, name: undefined, description: undefined, permissions }] }),
    token: async (name, permissions) => {
      const key = `key-of-the-token-${name}`;
      const token = { name, key, type: 'custom', description: undefined, expiresAt: undefined, permissions } as const;
      await apply({ tokens: [token] });
      return key;
    },
  };
}
