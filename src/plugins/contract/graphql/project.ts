import type { Data } from '../../../config/record.js';
import type { Caller } from '../../../documents/caller.js';
import type { CoreAction } from '../answerer.js';
import type { EntityService } from '../application.js';
import type { Request, Response } from '../http/messages.js';
import type { GraphqlResolver, KoaContext } from './parts.js';

/** An error of project code in the form for GraphQL clients. */
export interface DescribedError {
  readonly name: string;
  readonly message: string;
  readonly details?: unknown;
  /** The code in the extensions of the error. */
  readonly code: string;
}

/** A read that code of Strapi 5 stands around. */
export interface ObservedRead {
  readonly uid: string;
  readonly action: 'findMany' | 'findFirst' | 'findOne';
  /** As `strapi.documents` has them. */
  readonly params: Data;
}

/** A write that code of Strapi 5 stands around. */
export interface ObservedWrite {
  readonly uid: string;
  readonly action: 'create' | 'update' | 'delete';
  /** As `strapi.documents` has them; without a documentId of a single type. */
  readonly params: Data;
  readonly caller: Caller;
}

/** `strapi.documents` of the code of a Strapi 5 project: its middlewares, and lifecycle events of rows. */
export interface GraphqlDocuments {
  /** @param read what is read, with the parameters that code has left */
  readonly around: (call: ObservedRead, read: (params: Data) => Promise<unknown>) => Promise<unknown>;
  /**
   * Writes with the rights of code what the caller can name.
   * @returns what code has left of the answer
   * @throws AppError for data that the caller cannot write
   */
  readonly write: (call: ObservedWrite) => Promise<unknown>;
}

/** The interface of the GraphQL API to the code of a project. */
export interface GraphqlProject {
  /** Whether the code observes lifecycle events of this action on a content type, which can change at runtime. */
  readonly isObserved: (uid: string, action: CoreAction) => boolean;
  /** Reads and writes with these events. It refuses queries of clients that the query engine refuses. */
  readonly entityService: EntityService;
  /** Code of Strapi 5, which extends the schema in its form; undefined: code of Strapi v4. */
  readonly documents: GraphqlDocuments | undefined;
  /** Runs the work of a request in its Koa context, which code finds by `strapi.requestContext`. */
  readonly within: <T>(
    request: Request,
    response: Response,
    work: (koaContext: KoaContext) => Promise<T>,
  ) => Promise<T>;
  /**
   * The client's error for an error of project code; `message`: its message as it is; undefined for errors whose cause
   * stays in the log.
   */
  readonly describeError: (error: unknown) => DescribedError | 'message' | undefined;
  /** Replace the resolvers of plugins whose controllers the code replaces. */
  readonly mutations: Readonly<Record<string, GraphqlResolver>>;
}
