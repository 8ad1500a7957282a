import type { Caller } from '../../../documents/caller.js';
import type { QueryInput } from '../../../query/parse/input.js';

/** The request as seen by a policy. GraphQL arguments have the form of a REST request. */
export interface PolicyRequest {
  readonly action: string;
  readonly caller: Caller;
  /** Empty if the action does not concern one entry. */
  readonly id: string;
  readonly query: QueryInput;
  readonly body: unknown;
}

/** Runs the policies of an action. @throws AppError forbidden, and errors of project code */
export type ActionGuard = (request: PolicyRequest) => Promise<void>;

/** The guard of an action for every transport; undefined if it has no policy. */
export type ActionGuards = (action: string) => ActionGuard | undefined;

/** Code that applies to an action over REST only. */
export interface RestGuard {
  readonly action: string;
  /** Describes it: `policies of GET /notes in src/api/note/routes/note.js`. */
  readonly guard: string;
  /** It runs in place of the service, not before it. */
  readonly replaces?: boolean;
}
