import { createHmac, randomUUID } from 'node:crypto';
import type JsonWebToken from 'jsonwebtoken';
import { loadLater } from '../../../config/load-later.js';
import type { Profile } from './read-profile.js';

/**
 * What a front end gets after a log-in at a provider, in place of the provider's own access token: it is good here
 * only, for a short time and once, and opens nothing at the provider when it leaks from an address bar.
 */
export interface Tickets {
  issue(profile: Profile): string;
  /** Undefined for whatever is no ticket of ours, or no longer good. */
  read(text: string): (Profile & { readonly id: string }) | undefined;
}

const jwt = loadLater<typeof JsonWebToken>('jsonwebtoken');

/** Seconds. */
const LIFETIME = 300;
const algorithm = 'HS256';

/** @param secret that of web tokens; tickets are signed with another one that is made of it, so neither passes for the other */
export function createTickets(secret: string): Tickets {
  const key = createHmac('sha256', secret).update('tickets of providers').digest();
  return {
    issue: (profile) => jwt().sign({ ...profile, jti: randomUUID() }, key, { algorithm, expiresIn: LIFETIME }),
    read: (text) => {
      try {
        const read = jwt().verify(text, key, { algorithms: [algorithm] }) as Profile & { readonly jti: string };
        return { provider: read.provider, email: read.email, username: read.username, id: read.jti };
      } catch {
        return undefined;
      }
    },
  };
}
