import { createEnv } from '../../config/project/env.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { permittedData } from '../../documents/input/permitted-data.js';
import { keepWithinRights } from '../../documents/rights.js';
import { parseQuery } from '../../query/parse/parse-query.js';
import type { Model, Named, Runtime, Strapi } from '../strapi.js';
import { errors } from './errors.js';
import { contentTypes, getNonWritableAttributes } from './content-types.js';
import { cleanEntry, type Sanitizing } from './sanitize-output.js';
import { cleanQuery } from './sanitize-query.js';
import { textUtilities } from './text.js';

interface Options {
  readonly auth?: Named | undefined;
}

/** Who an `auth` stands for; without one everything but what is private may be seen, as in Strapi v4. */
function callerOf(auth: Named | undefined): Caller {
  const ability = auth?.['ability'] as { can(action: string): boolean } | undefined;
  return { kind: 'public', may: (action) => auth === undefined || ability?.can(action) === true };
}

/**
 * The package `@strapi/utils`, as a project's code imports it.
 * @param strapi the application that it looks content types up in
 * @param runtime the running service
 */
export function createUtils(
  strapi: () => Strapi,
  variables: Readonly<Record<string, string | undefined>>,
  runtime: (wants: string) => Runtime,
): Named {
  const typeOf = ({ uid }: Model): ContentType | undefined => runtime('sanitize').registry.contentTypes.get(uid);
  const sanitizing = ({ auth }: Options): Sanitizing => {
    const { may } = callerOf(auth);
    return {
      contentType: (uid) => strapi().contentType(uid),
      component: (uid) => strapi().components[uid],
      mayFind: (uid) => may(`${uid}.find`),
    };
  };
  const output = async (data: unknown, model: Model, options: Options = {}): Promise<unknown> =>
    cleanEntry(data, model, sanitizing(options));
  const checkQuery = async (query: Named, model: Model, { auth }: Options = {}): Promise<void> => {
    const type = typeOf(model);
    if (type === undefined) return;
    const { plugins } = runtime('validate');
    keepWithinRights(parseQuery(query, type, 'client', plugins.limits), { action: 'find', caller: callerOf(auth) });
  };
  /** Data without what clients cannot set, and without relations to types that they may not list. */
  const input = async (data: unknown, model: Model, options: Options = {}): Promise<unknown> => {
    const type = typeOf(model);
    if (Array.isArray(data)) return Promise.all(data.map((one) => input(one, model, options)));
    if (type === undefined || typeof data !== 'object' || data === null) return data;
    const fixed = new Set(getNonWritableAttributes(model));
    const permitted = permittedData(data, type, callerOf(options.auth));
    return Object.fromEntries(Object.entries(permitted).filter(([name]) => !fixed.has(name)));
  };
  const query = async (given: Named, model: Model, options: Options = {}): Promise<unknown> =>
    cleanQuery(given, model, sanitizing(options));
  return {
    ...textUtilities,
    errors,
    env: createEnv(variables),
    sanitize: {
      contentAPI: { output, input, query },
      sanitizers: { defaultSanitizeOutput: (model: Model, data: unknown) => output(data, model) },
    },
    validate: { contentAPI: { query: checkQuery, input: async () => undefined } },
    parseMultipartData,
    contentTypes,
  };
}

/** The `data` of a form, and its files by where they go. @throws ValidationError when the request is no form, or has no data */
function parseMultipartData(context: Named): { readonly data: unknown; readonly files: Named } {
  if (!context['is']('multipart')) return { data: context['request'].body, files: {} };
  const { body = {}, files = {} } = context['request'] as Named;
  if (body.data === undefined) {
    throw new errors.ValidationError(
      "When using multipart/form-data you need to provide your data in a JSON 'data' field.",
    );
  }
  const named = Object.entries(files as Named).map(([name, file]) => {
    if (name.startsWith('files.')) return [name.slice('files.'.length), file as unknown] as const;
    throw new errors.ValidationError(
      `When using multipart/form-data you need to provide your files by prefixing them with the 'files'.
For example, when a media file is named "avatar", make sure the form key name is "files.avatar"`,
    );
  });
  try {
    return { data: JSON.parse(String(body.data)), files: Object.fromEntries(named) };
  } catch {
    throw new errors.ValidationError(`Invalid 'data' field. 'data' should be a valid JSON.`);
  }
}
