import type { Request, RequestHandler } from 'express';
import type { Context, Middleware } from 'koa';
import { passArrived } from '../../plugins/contract/arrived-body.js';
import { hasNoRoute } from '../../plugins/contract/response-notes.js';
import { leaveForm } from '../../plugins/contract/forms.js';
import { receivedForm } from './body.js';
import { Answer, isJson, type AnswerBody } from './answer.js';

/** The service handles a body that was read for code of the project as that left it. */
function keepBody({ req, request }: Context): void {
  const form = receivedForm({ request });
  if (form !== undefined) leaveForm(req, form);
  const message = req as { body?: unknown };
  passArrived(request, req);
  if (message.body !== undefined) message.body = (request as { readonly body?: unknown }).body;
}

/** A body as middlewares see it: JSON as its value, any other text as a string. */
function toBody(body: AnswerBody, type: string, isGraphql: boolean): unknown {
  if (!(typeof body === 'string' || body instanceof Uint8Array) || !(isText.test(type) || isJson(type))) return body;
  const text = body.toString();
  // As in Strapi v4, the response to operations is a text.
  return isJson(type) && !isGraphql && text !== '' ? (JSON.parse(text) as unknown) : text;
}

const isText = /^text\//;

/**
 * A path that no route has is left as Koa begins with it: middlewares can answer it, and `strapi::errors` does
 * otherwise.
 */
function leaveUnanswered({ res }: Context): void {
  res.statusCode = 404;
  for (const name of ['Content-Type', 'Content-Length', 'Cache-Control', 'ETag']) res.removeHeader(name);
}

/**
 * A route of the service outside of Koa, at the end of the project's middlewares: its answer becomes the status and the
 * body of the context, which middlewares can read and change.
 * @param routes those of the service, which answer every request
 * @param isGraphql whether the request is for the GraphQL endpoint
 */
export const answerDownstream =
  (routes: RequestHandler, isGraphql: (context: Context) => boolean): Middleware =>
  async (context) => {
    const { res } = context;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- messages are those of the service's application
    const req = context.req as Request;
    const { url, baseUrl } = req;
    // Koa starts with 404, other handlers with 200.
    res.statusCode = 200;
    keepBody(context);
    const answer = new Answer(res);
    void routes(req, answer.asResponse(), () => answer.destroy());
    const written = await answer.body;
    // Express has moved the path of the handler from one to the other.
    Object.assign(req, { url, baseUrl });
    if (hasNoRoute(res)) return leaveUnanswered(context);
    const { statusCode } = res;
    const type = String(res.getHeader('Content-Type') ?? '');
    const body = toBody(written, type, isGraphql(context));
    context.status = statusCode;
    if (body !== undefined) {
      context.body = body;
      if (type !== '') context.set('Content-Type', type);
    } else if (context.method !== 'HEAD') {
      // Koa would send the text of the status; the response to HEAD has the headers of a body.
      context.body = null;
      context.status = statusCode;
    }
    return undefined;
  };
