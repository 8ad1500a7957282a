import type { Request, Response } from 'express';
import type { ContentAnswer, ContentRequest } from '../plugins/contract/content-api.js';

/** A request for an action on a content type, with all that Express has of it. */
export interface RestRequest extends ContentRequest {
  readonly request: Request;
  readonly response: Response;
}

/** An action of the core; those of plugins rely on less, so each is one of these, too. */
export type RestAction = (request: RestRequest) => Promise<ContentAnswer>;
