import type { ServerResponse } from 'node:http';
import type { Caller } from '../../documents/caller.js';

/** What is known of a request when its answer is logged; no secrets, and nothing that is decided by. */
export interface ResponseNotes {
  readonly caller: Caller['kind'];
  /** The type of a user's role, or of a token. */
  readonly role?: string;
  /** The name of a token. */
  readonly token?: string;
  /** The id of a user. */
  readonly user?: number;
  /** The action that the caller was refused. */
  readonly lacks?: string;
}

/** A response with the notes of express; outside of express there are none. */
type NotedResponse = ServerResponse & { readonly locals?: Record<string, unknown> };

const NOTES = 'notes';

export const notesOf = ({ locals }: NotedResponse): ResponseNotes | undefined =>
  locals?.[NOTES] as ResponseNotes | undefined;

/** Notes who sent the request, for the log. */
export function noteCaller({ locals }: NotedResponse, { kind, user, credentials = {} }: Caller): void {
  if (locals === undefined) return;
  const { role, name, type } = credentials as {
    readonly role?: { readonly type?: string };
    name?: string;
    type?: string;
  };
  const notes: ResponseNotes = {
    caller: kind,
    ...(kind === 'public' && { role: 'public' }),
    ...(kind === 'user' && { role: role?.type ?? 'none', ...(user !== undefined && { user }) }),
    ...(kind === 'token' && { role: type ?? 'none', ...(name !== undefined && { token: name }) }),
  };
  locals[NOTES] = notes;
}

/** Notes which action the caller was refused. */
export function noteRefusal(response: NotedResponse, action: string): void {
  const { locals } = response;
  const notes = notesOf(response);
  if (locals !== undefined && notes !== undefined) locals[NOTES] = { ...notes, lacks: action };
}
