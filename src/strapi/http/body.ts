import type { IncomingMessage } from 'node:http';
import type express from 'express';
import type { Context, Middleware } from 'koa';
import lodash from 'lodash';
import type { Slots } from '../../rest/middleware/admission.js';
import { noteArrived } from '../../calls/once.js';
import { runMiddleware } from '../../rest/run-middleware.js';
import { keepArrived } from '../../plugins/contract/arrived-body.js';
import { jsonTypes } from '../../plugins/contract/bodies.js';
import type { Bodies } from '../../plugins/contract/http/receive-bodies.js';
import type { Named } from '../strapi.js';
import type { ReadForm, ReceivedFile, ReceivedForm } from '../../plugins/contract/forms.js';

export interface BodyOptions {
  /** Bytes of JSON and of forms without files. */
  readonly limit: number;
  /** Undefined: forms with files are not read. */
  readonly readForm: ReadForm | undefined;
  readonly bodies: Bodies;
  /** For what code does with bodies, and for reading forms. */
  readonly slots: Slots;
  /** Whether code gets the text of a body, by which it can verify a signature. */
  readonly includeUnparsed: boolean;
  /** Whether middlewares of the project come after this one: they can use the body. */
  readonly isFollowed: () => boolean;
  /**
   * Whether project code handles the request; other handlers read bodies themselves, unless middlewares of the project
   * want them.
   */
  readonly isCode: (context: Context) => boolean;
}

/** A file in the format of Strapi v4. */
const describeFile = ({ name, type, size, path }: ReceivedFile): object => ({
  name,
  originalFilename: name,
  type,
  mimetype: type,
  size,
  path,
  filepath: path,
});

const describeFiles = ({ files }: ReceivedForm): Named =>
  lodash.mapValues(lodash.groupBy(files, 'field'), (list) => {
    const all = list.map(describeFile);
    return all.length === 1 ? all[0] : all;
  });

/** The form of a request as code left it; undefined if it is not a form with files. */
export function receivedForm({ request }: { readonly request: unknown }): ReceivedForm | undefined {
  const { form, body, files = {} } = request as Named;
  if (form === undefined) return undefined;
  const received = Object.entries(files as Named).flatMap(([field, list]) =>
    ([list].flat() as Named[]).map(({ name, type, size, path }) => ({ field, name, type, size, path })),
  );
  return { fields: (body ?? {}) as Named, files: received };
}

/** Methods whose bodies Strapi v4 reads. */
const methods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** The key of the text of a body, as in `koa-body/unparsed.js`. */
export const UNPARSED = Symbol.for('unparsedBody');

/** Reads the body of a request, does work with it, and removes its files. */
type ReadPending = (work: () => Promise<unknown>) => Promise<unknown>;

const PENDING = Symbol('pending body');
type Pending = { [PENDING]?: ReadPending | undefined };

/**
 * Reads the body that `strapi::body` left unread until the caller may send it. What code does with it counts among the
 * requests in progress; the wait for it does not.
 * @param limitTime for what code does with the body
 */
export const receiveBody =
  (slots: Slots, limitTime: (work: Promise<unknown>) => Promise<unknown>): Middleware =>
  (context, next) => {
    const request = context.request as Pending;
    const read = request[PENDING];
    request[PENDING] = undefined;
    const work = (): Promise<unknown> => limitTime(next());
    return read === undefined ? slots.run(context.res, work) : read(work);
  };

/** Parses bodies that are no forms with files. */
function createParse({
  bodies,
  limit,
  includeUnparsed,
}: BodyOptions): (context: Context, isForCode: boolean) => Promise<void> {
  const texts = new WeakMap<IncomingMessage, string>();
  const verify = (message: IncomingMessage, _response: unknown, raw: Buffer): void =>
    void texts.set(message, raw.toString());
  const parsing = { limit, ...(includeUnparsed && { verify }) };
  const parsers = [bodies.json({ ...parsing, strict: false }), bodies.urlencoded(parsing), bodies.text({ limit })];
  return async (context, isForCode) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- messages are those of the service's application
    const [request, response] = [context.req as express.Request, context.res as express.Response];
    for (const parser of parsers) await runMiddleware(parser, request, response);
    const { body = {} } = request as { body?: unknown };
    if (isForCode && context.is(jsonTypes) !== false && (typeof body !== 'object' || body === null)) {
      throw Object.assign(new Error('invalid JSON, only supports object and array'), { status: 400 });
    }
    if (includeUnparsed && context.is([...jsonTypes, 'urlencoded']) !== false) {
      Object.assign(body as object, { [UNPARSED]: texts.get(context.req) ?? '' });
    }
    noteArrived(context.req, body);
    keepArrived(context.request, body);
    (context.request as Named)['body'] = body;
  };
}

/**
 * `strapi::body`: `ctx.request.body` and `ctx.request.files`. A body is read by the route once the caller may send it,
 * or here if middlewares of the project follow. Files are removed after the response.
 */
export function readBody(options: BodyOptions): Middleware {
  const { readForm, slots, isFollowed, isCode } = options;
  const parse = createParse(options);
  return async (context, next) => {
    const request = context.request as Named;
    const isForm = context.is('multipart') === 'multipart';
    const isForCode = isCode(context);
    const isRead = isFollowed();
    if (!isForCode && !isRead) return next();
    if (!methods.has(context.method)) {
      if (isForCode) request['body'] = {};
      return next();
    }
    if (isForm && readForm !== undefined) {
      const read: ReadPending = (work) =>
        slots.run(context.res, () =>
          readForm(
            context.req,
            () => true,
            async (form) => {
              request['form'] = form;
              keepArrived(request, form.fields);
              request['body'] = { ...form.fields };
              request['files'] = describeFiles(form);
              return work();
            },
          ),
        );
      if (isRead) return read(next);
      (request as Pending)[PENDING] = read;
      return next();
    }
    if (isRead) {
      await parse(context, isForCode);
      return next();
    }
    (request as Pending)[PENDING] = async (work) => {
      await parse(context, true);
      return slots.run(context.res, work);
    };
    return next();
  };
}
