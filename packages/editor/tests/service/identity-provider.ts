import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A real OpenID Connect provider, where people log in in the browser. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly close: () => Promise<void>;
}

/** @param publicUrl the service that people log in to, in whose settings the provider is called `house` */
export async function startIdentityProvider(publicUrl: string, secret: string): Promise<IdentityProvider> {
  // It is made of ES modules only, which Jest cannot load.
  const child = spawn(process.execPath, ['packages/editor/tests/service/serve-identities.mjs'], {
    env: { ...process.env, REDIRECT_URI: `${publicUrl}/api/connect/house/callback`, CLIENT_SECRET: secret },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout);
  const [issuer] = (await Promise.race([once(lines, 'line'), exited])) as readonly unknown[];
  if (typeof issuer !== 'string') throw new Error('The provider did not start');
  return {
    issuer,
    close: async () => {
      child.kill();
      await exited;
    },
  };
}
