import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphqlResolver, KoaContext } from './parts.js';

/** An error of project code as GraphQL clients get it. */
export interface DescribedError {
  readonly name: string;
  readonly message: string;
  readonly details?: unknown;
  /** The code in the extensions of the error. */
  readonly code: string;
}

/** What the GraphQL API needs of the code of a Strapi v4 project. */
export interface GraphqlProject {
  /** Does the code observe the lifecycle events of this content type? This may change while the service runs. */
  readonly isObserved: (uid: string) => boolean;
  /** Runs the work of a request in its Koa context, which code finds by `strapi.requestContext`. */
  readonly within: <T>(
    request: IncomingMessage,
    response: ServerResponse,
    work: (koaContext: KoaContext) => Promise<T>,
  ) => Promise<T>;
  /** What the client gets for an error that the code throws; undefined for errors whose cause stays in the log. */
  readonly describeError: (error: unknown) => DescribedError | undefined;
  /** Replace the resolvers of plugins whose controllers the code replaces. */
  readonly mutations: Readonly<Record<string, GraphqlResolver>>;
}
