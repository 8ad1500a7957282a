import { STATUS_CODES } from 'node:http';
import type Koa from 'koa';
import lodash from 'lodash';

/** The response of a request, for its methods. */
interface Response {
  status: number;
  body: unknown;
}

/** An HTTP error in Strapi v4's format. Undefined details are omitted. */
export function errorBody(status: number, name: string, message: string, details: unknown): object {
  return { data: null, error: { status, name, message, details } };
}

/** `404` is a `NotFoundError`, as `http-errors` calls it. */
export function nameOfStatus(status: number): string {
  const words = (STATUS_CODES[status] ?? 'Unknown').replaceAll(/[^ A-Za-z0-9]/g, '').split(' ');
  const name = words.map((word) => lodash.upperFirst(word)).join('');
  return name.endsWith('Error') ? name : `${name}Error`;
}

/** The status that a number, or an error with a status, has for clients; 500 if it has none. */
export const validStatus = (status: unknown): number =>
  typeof status === 'number' && (status in STATUS_CODES || (status >= 400 && status < 600)) ? status : 500;

/** An error of another library, e.g. of a request to a third server. */
export interface StatusError extends Error {
  readonly status?: unknown;
  readonly statusCode?: unknown;
  readonly details?: unknown;
}

/** The error that `ctx.badRequest(cause)` describes, as `http-errors` does: errors and numbers replace the status. */
function describeCause(code: number, cause: unknown): { status: number; name: string; message: string } {
  if (cause instanceof Error) {
    const { name, message, status, statusCode } = cause as StatusError;
    return { status: validStatus(status || statusCode || code), name, message };
  }
  const status = typeof cause === 'number' ? validStatus(cause) : code;
  const message = typeof cause === 'string' ? cause : (STATUS_CODES[status] ?? 'Unknown');
  return { status, name: nameOfStatus(status), message };
}

/** Strapi v4's methods of `ctx` and `ctx.response`: `send`, `created`, `deleted`, and one for each HTTP error. */
function methods(): Readonly<Record<string, (this: Response, ...args: never[]) => void>> {
  const answers: Record<string, (this: Response, ...args: never[]) => void> = {
    send(this: Response, data: unknown, status: number = 200) {
      this.status = status;
      this.body = data;
    },
    created(this: Response, data: unknown) {
      this.status = 201;
      this.body = data;
    },
    deleted(this: Response, data: unknown) {
      const nothing = data === undefined || data === null;
      this.status = nothing ? 204 : 200;
      if (!nothing) this.body = data;
    },
  };
  for (const [code, text = ''] of Object.entries(STATUS_CODES)) {
    const status = Number(code);
    if (status < 400) continue;
    answers[lodash.camelCase(text)] = function refuse(this: Response, cause?: unknown, details: unknown = {}) {
      const answer = describeCause(status, cause);
      this.status = answer.status;
      this.body = errorBody(answer.status, answer.name, answer.message, details);
    };
  }
  return answers;
}

/** Adds Strapi's methods to an application's contexts and responses. */
export function addContextMethods(app: Koa): void {
  for (const [name, method] of Object.entries(methods())) {
    Object.assign(app.response, { [name]: method });
    Object.assign(app.context, {
      [name](this: Koa.Context, ...args: unknown[]) {
        Reflect.apply(method as (...args: unknown[]) => void, this.response, args);
      },
    });
  }
}
