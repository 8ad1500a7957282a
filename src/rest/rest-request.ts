import type { Request, Response } from 'express';
import type {
  ContentAnswer,
  ContentQuery,
  ContentRequest,
  ContentWriteRequest,
  Perform,
} from '../plugins/contract/content-api.js';

/** What Express has of a request. */
export interface RestMessages {
  readonly request: Request;
  readonly response: Response;
}

/** A request for an action on a content type. */
export type RestRequest = ContentRequest & RestMessages;

/** A read of the core; those of plugins rely on less, so each is one of these, too. */
export type RestRead = (request: RestRequest) => Promise<ContentQuery>;

/** An answer that is neither a read of entries nor a write of one. */
export type RestReply = (request: RestRequest) => Promise<ContentAnswer>;

/** A write, in the same way: parsed, it is done by whoever keeps its terms. */
export type RestWrite = (request: ContentWriteRequest & RestMessages) => Promise<Perform>;
