import type { RequestHandler } from 'express';
import { isRecord } from '../../config/record.js';

/** The media types of bodies in JSON, as in Strapi v4. */
export const jsonTypes = [
  'application/json',
  'application/json-patch+json',
  'application/vnd.api+json',
  'application/csp-report',
];

const CHARSET = /;\s*charset\s*=\s*("[^"]*"|[^;]*)/i;

/**
 * A parser that reads bodies as UTF-8, whatever charset they declare, as Strapi v4 does: clients also write `utf8`, and
 * Latin-1 for plain ASCII. Later handlers see the declared type.
 */
export const asUtf8 =
  (parse: RequestHandler): RequestHandler =>
  (request, response, next) => {
    const { headers } = request;
    const { 'content-type': declared } = headers;
    if (declared === undefined || !CHARSET.test(declared)) return parse(request, response, next);
    headers['content-type'] = declared.replace(CHARSET, '');
    return parse(request, response, (error?: unknown) => {
      headers['content-type'] = declared;
      next(error);
    });
  };

/**
 * Whether a parser has refused a body that begins neither an object nor a list, which Strapi v4 does not even parse.
 */
export const isOtherJson = (error: unknown): boolean =>
  isRecord(error) && error['type'] === 'entity.parse.failed' && !/^\s*[[{]/.test(String(error['body']));
