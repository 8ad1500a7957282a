import { AppError } from '../../../errors/app-error.js';

/** Milliseconds that a provider may take for an answer. */
const TIMEOUT_MS = 10_000;

/** Reads JSON from a provider. @throws AppError application when it does not answer, or refuses */
export async function askProvider(url: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const options = {
    // GitHub answers nobody without a name.
    headers: { accept: 'application/json', 'user-agent': 'content-service', ...headers },
    // A token must not follow to another host.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  } as const;
  try {
    const response = await fetch(url, options);
    if (response.ok) return await response.json();
  } catch {
    // Said below: what went wrong between the provider and us is nothing for a client.
  }
  throw new AppError('application', 'The provider does not answer, or refuses the access token');
}
