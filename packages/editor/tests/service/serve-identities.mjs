/**
 * A real OpenID Connect provider on a free port, with forms for logging in and consenting. Its first line of output
 * says where it is. The names of people begin with their group: `chief-ann`.
 */
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const { REDIRECT_URI, CLIENT_SECRET } = process.env;
const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'editor', client_secret: CLIENT_SECRET, redirect_uris: [REDIRECT_URI] }],
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['preferred_username'] },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        email: `${accountId}@example.org`,
        email_verified: true,
        preferred_username: accountId,
        groups: [accountId.split('-', 1)[0]],
      }),
    }),
    cookies: { keys: ['only for tests'] },
  });
  server.on('request', provider.callback());
  console.log(issuer);
});
