import type { Caller } from '../../documents/caller.js';

/** The logged description of a caller, without secrets. */
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

/** A response with the local variables of express; outside of express there are none. */
export type NotedResponse = object & {
  readonly locals?: { notes?: Noted; route?: () => unknown; reason?: string; hasNoRoute?: true };
};

/** Described when it is logged: most responses are not. */
interface Noted {
  readonly caller: Caller;
  lacks?: string;
}

/**
 * Records the template of a route that Express does not know, for the log and the metrics; it is read when the response
 * was sent.
 */
export function noteRoute({ locals }: NotedResponse, template: () => unknown): void {
  if (locals !== undefined) locals.route = template;
}

/** The template of that route; undefined if there is none. */
export function notedRoute({ locals }: NotedResponse): string | undefined {
  const template = locals?.route?.();
  return template === undefined ? undefined : String(template);
}

/** Records what a developer should know about the response and cannot read there; development logs it. */
export function noteReason({ locals }: NotedResponse, reason: string): void {
  if (locals !== undefined) locals.reason ??= reason;
}

/** What was recorded so; undefined if nothing was. */
export const notedReason = ({ locals }: NotedResponse): string | undefined => locals?.reason;

/** Records that no route has the path of a read: code of a project can answer it. */
export function noteNoRoute({ locals }: NotedResponse): void {
  if (locals !== undefined) locals.hasNoRoute = true;
}

/** Whether that was recorded. */
export const hasNoRoute = ({ locals }: NotedResponse): boolean => locals?.hasNoRoute === true;

export function notesOf({ locals }: NotedResponse): ResponseNotes | undefined {
  if (locals?.notes === undefined) return undefined;
  const { caller, lacks } = locals.notes;
  const { kind, user, credentials = {} } = caller;
  const { role, name, type } = credentials as {
    readonly role?: { readonly type?: string };
    name?: string;
    type?: string;
  };
  return {
    caller: kind,
    ...(kind === 'public' && { role: 'public' }),
    ...(kind === 'user' && { role: role?.type ?? 'none', ...(user !== undefined && { user }) }),
    ...(kind === 'token' && { role: type ?? 'none', ...(name !== undefined && { token: name }) }),
    ...(lacks !== undefined && { lacks }),
  };
}

/**
 * Records the caller of the request, for the log and for `callerOf`.
 * @param response undefined where code of a project calls without a request
 */
export function noteCaller(response: NotedResponse | undefined, caller: Caller): void {
  if (response?.locals !== undefined) response.locals.notes = { caller };
}

/** The caller of the request, for places that callers share; undefined while it is not known. */
export const callerOf = ({ locals }: NotedResponse): Caller | undefined => locals?.notes?.caller;

/** Notes which action the caller was refused. */
export function noteRefusal(response: NotedResponse | undefined, lacks: string): void {
  if (response?.locals?.notes !== undefined) response.locals.notes.lacks = lacks;
}
