import type { RequestHandler } from 'express';
import express from 'express';
import type { Context, Middleware } from 'koa';
import { jsonTypes } from '../../rest/json-types.js';
import { asUtf8 } from '../../plugins/contract/http/utf8-bodies.js';
import type { Named } from '../strapi.js';
import type { ReadForm, ReceivedFile, ReceivedForm } from '../../plugins/contract/forms.js';

export interface BodyOptions {
  /** Bytes of JSON and of forms without files. */
  readonly limit: number;
  /** Undefined: forms with files are not read. */
  readonly readForm: ReadForm | undefined;
  /** Whether project code handles the request; other handlers read forms and GraphQL operations themselves. */
  readonly isCode: (context: Context) => boolean;
  /** The path of the GraphQL endpoint. */
  readonly endpoint: string;
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

/** Files by field name: one, or a list. */
function describeFiles({ files }: ReceivedForm): Readonly<Record<string, unknown>> {
  const all = new Map<string, object[]>();
  for (const file of files) all.set(file.field, [...(all.get(file.field) ?? []), describeFile(file)]);
  return Object.fromEntries([...all].map(([field, list]) => [field, list.length === 1 ? list[0] : list]));
}

/** The form of a request as code left it; undefined if it is not a form with files. */
export function receivedForm({ request }: { readonly request: unknown }): ReceivedForm | undefined {
  const { form, body, files = {} } = request as Named;
  if (form === undefined) return undefined;
  const received = Object.entries(files as Named).flatMap(([field, list]) =>
    ([list].flat() as Named[]).map(({ name, type, size, path }) => ({ field, name, type, size, path })),
  );
  return { fields: (body ?? {}) as Named, files: received };
}

const run = (handler: RequestHandler, { req, res }: Context): Promise<void> =>
  new Promise((resolve, reject) => {
    const next = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- messages are those of the service's application
    void handler(req as express.Request, res as express.Response, next);
  });

/** Methods whose bodies Strapi v4 reads. */
const methods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** `strapi::body`: `ctx.request.body` and `ctx.request.files`. Files are removed after the response. */
export function readBody({ limit, readForm, isCode, endpoint }: BodyOptions): Middleware {
  const parsers = [
    express.json({ limit, strict: false, type: jsonTypes }),
    express.urlencoded({ limit, extended: true }),
    express.text({ limit, type: 'text/*' }),
  ].map(asUtf8);
  return async (context, next) => {
    const request = context.request as unknown as Record<string, unknown>;
    const isForm = context.is('multipart') === 'multipart';
    const isForCode = isCode(context);
    if (!isForCode && (isForm || context.path === endpoint)) return next();
    if (isForCode && !methods.has(context.method)) {
      request['body'] = {};
      return next();
    }
    if (isForm && readForm !== undefined) {
      return readForm(
        context.req,
        () => true,
        async (form) => {
          request['form'] = form;
          request['body'] = { ...form.fields };
          request['files'] = describeFiles(form);
          return next() as Promise<unknown>;
        },
      );
    }
    for (const parser of parsers) await run(parser, context);
    const { body = {} } = context.req as { body?: unknown };
    if (isForCode && context.is(jsonTypes) !== false && (typeof body !== 'object' || body === null)) {
      throw Object.assign(new Error('invalid JSON, only supports object and array'), { status: 400 });
    }
    request['body'] = body;
    return next();
  };
}
