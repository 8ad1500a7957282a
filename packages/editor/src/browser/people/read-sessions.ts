import type { Api } from '../api/api.js';

/** A log-in of the user that is still good. */
export interface OpenSession {
  readonly id: string;
  readonly since: string;
  /** Null: unknown. */
  readonly browser: string | null;
  readonly system: string | null;
  /** That of this browser. */
  readonly current: boolean;
}

export const readSessions = async (api: Api): Promise<readonly OpenSession[]> =>
  (await api.get('auth/sessions')).body as readonly OpenSession[];

export const endSession = (api: Api, id: string): Promise<unknown> => api.send('DELETE', `auth/sessions/${id}`);

/** All but that of this browser, and all tokens that programs have. */
export const endOtherSessions = (api: Api): Promise<unknown> => api.send('DELETE', 'auth/sessions');

/** Ends all sessions and tokens of a user. */
export const endSessionsOf = (api: Api, user: number): Promise<unknown> => api.send('DELETE', `users/${user}/sessions`);
