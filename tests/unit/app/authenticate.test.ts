import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { createAuthenticator } from '../../../src/app/authenticate.js';
import type { HttpConfig } from '../../../src/config/config.js';

test('in development, a line in the log says what the header Authorization must be, without its value', async () => {
  const lines: unknown[] = [];
  const http = { unknownAuthorization: 'refuse' } as HttpConfig;
  const log = { warn: (line: unknown) => void lines.push(line) };
  for (const environment of ['development', 'production'] as const) {
    const authenticate = createAuthenticator([], [], { config: { environment, http }, log });
    const request = { headers: { authorization: 'secret-key' } } as IncomingMessage;
    await expect(authenticate(request, {} as ServerResponse)).rejects.toMatchObject({ code: 'unauthorized' });
  }
  expect(lines).toEqual(['The header Authorization is refused: it must be "Bearer <token>"']);
});
