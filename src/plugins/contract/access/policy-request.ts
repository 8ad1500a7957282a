import type { Caller } from '../../../documents/caller.js';
import type { QueryInput } from '../../../query/parse/input.js';

/** What a policy may look at. Arguments of GraphQL have the form that they would have in a request to the REST API. */
export interface PolicyRequest {
  readonly action: string;
  readonly caller: Caller;
  /** Empty where the action is not about one entry. */
  readonly id: string;
  readonly query: QueryInput;
  readonly body: unknown;
}

/** Runs the policies of an action. @throws AppError forbidden, and what project code throws */
export type ActionGuard = (request: PolicyRequest) => Promise<void>;

/** The guard of an action, whatever the transport; undefined where no policy stands before it. */
export type ActionGuards = (action: string) => ActionGuard | undefined;

/** The actions before which something stands that only requests to the REST API pass: what that is, by action. */
export type RestGuards = ReadonlyMap<string, string>;
