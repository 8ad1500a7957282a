import { AppError } from '../../../errors/app-error.js';

/** The time limit in milliseconds for a provider's response. */
const TIMEOUT_MS = 10_000;

/** Reads JSON from a provider. @throws AppError application if it does not respond, or refuses */
export async function askProvider(url: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const options = {
    // GitHub requires a `User-Agent`.
    headers: { accept: 'application/json', 'user-agent': 'content-service', ...headers },
    // A token must not be sent to another host by a redirect.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  } as const;
  try {
    const response = await fetch(url, options);
    if (response.ok) return await response.json();
  } catch {
    // Reported below: details of the provider's error are not for clients.
  }
  throw new AppError('application', 'The provider does not answer, or refuses the access token');
}
