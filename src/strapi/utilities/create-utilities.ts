import { createEnv } from '../../config/project/env.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { permittedData } from '../../documents/input/permitted-data.js';
import { keepWithinRights } from '../../documents/rights.js';
import { isOperator } from '../../query/operators.js';
import { parseQuery } from '../../query/parse/parse-query.js';
import { convertParams, convertQuery } from '../entity-service/convert-params.js';
import type { Anything, Model, Named, Runtime, Strapi } from '../strapi.js';
import { errors } from './errors.js';
import { asyncUtilities } from './async.js';
import { contentTypes, getNonWritableAttributes, relations, setCreatorFields } from './content-types.js';
import { file } from './files.js';
import { hooks, providerFactory } from './hooks.js';
import { pagination } from './pagination.js';
import { parseType } from './parse-type.js';
import { createPolicyUtilities } from './policy.js';
import { cleanEntry, type Sanitizing } from './sanitize-output.js';
import { cleanQuery } from './sanitize-query.js';
import { stringUtilities } from './strings.js';
import { createTraverseEntity } from './traverse-entity.js';
import { urlUtilities } from './urls.js';
import { createYupUtilities } from './yup.js';

interface Options {
  readonly auth?: Named | undefined;
}

/** The caller of an `auth`; without one everything except private attributes is visible, as in Strapi v4. */
function callerOf(auth: Named | undefined): Caller {
  const ability = auth?.['ability'] as { can(action: string): boolean } | undefined;
  return { kind: 'public', may: (action) => auth === undefined || ability?.can(action) === true };
}

/**
 * The package `@strapi/utils` for project code.
 * @param strapi the application with the content types
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
      getModel: (uid) => strapi().getModel(uid),
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
  /** Data without attributes that clients cannot set, and without relations to types that they may not list. */
  const input = async (data: unknown, model: Model, options: Options = {}): Promise<unknown> => {
    const type = typeOf(model);
    if (Array.isArray(data)) return Promise.all(data.map((element) => input(element, model, options)));
    if (type === undefined || typeof data !== 'object' || data === null) return data;
    const fixed = new Set(getNonWritableAttributes(model));
    const permitted = permittedData(data, type, callerOf(options.auth));
    return Object.fromEntries(Object.entries(permitted).filter(([name]) => !fixed.has(name)));
  };
  const query = async (input: Named, model: Model, options: Options = {}): Promise<unknown> =>
    cleanQuery(input, model, sanitizing(options));
  const clean = (part: 'filters' | 'sort' | 'fields' | 'populate') => async (model: Model, value: unknown) =>
    cleanQuery({ [part]: value }, model, sanitizing({}))[part] as unknown;
  const attributesOf = (model: Model | undefined): ContentType['attributes'] =>
    (model && typeOf(model)?.attributes) ?? new Map();
  const convert = {
    convertSortQueryParams: (sort: unknown) => convertQuery({ sort }, new Map())['orderBy'] as unknown,
    convertStartQueryParams: (start: unknown) => convertQuery({ start }, new Map())['offset'] as unknown,
    convertLimitQueryParams: (limit: unknown) => convertQuery({ limit }, new Map())['limit'] as unknown,
    convertFieldsQueryParams: (fields: unknown) => convertQuery({ fields }, new Map())['select'] as unknown,
    convertFiltersQueryParams: (filters: unknown, model?: Model) =>
      convertQuery({ filters }, attributesOf(model))['where'] as unknown,
    convertPopulateQueryParams: (populate: unknown, model?: Model) =>
      convertQuery({ populate }, attributesOf(model))['populate'] as unknown,
    transformParamsToQuery: (uid: string, params: Named) => {
      const type = runtime('convertQueryParams').registry.contentTypes.get(uid);
      if (type === undefined) throw new Error(`unknown content type "${uid}"`);
      return convertParams(params, type);
    },
  };
  const utilities = {
    ...stringUtilities,
    ...asyncUtilities,
    ...urlUtilities,
    errors,
    env: createEnv(variables),
    sanitize: {
      contentAPI: { output, input, query },
      sanitizers: {
        defaultSanitizeOutput: (model: Model, data: unknown) => output(data, model),
        defaultSanitizeFilters: clean('filters'),
        defaultSanitizeSort: clean('sort'),
        defaultSanitizeFields: clean('fields'),
        defaultSanitizePopulate: clean('populate'),
      },
    },
    validate: { contentAPI: { query: checkQuery, input: async () => undefined } },
    sanitizeEntity: (data: unknown, { schema, model = schema }: Named<Model> = {}) => {
      if (model === undefined) throw new Error('sanitizeEntity needs { model } or { schema }');
      return cleanEntry(data, model, sanitizing({}));
    },
    parseMultipartData,
    parseType,
    contentTypes,
    relations,
    setCreatorFields,
    hooks,
    providerFactory,
    pagination,
    policy: createPolicyUtilities(strapi),
    convertQueryParams: convert,
    traverseEntity: createTraverseEntity((uid) => strapi().getModel(uid)),
    file,
    importDefault: (module: Anything): unknown =>
      module?.__esModule === true ? module : { default: module as unknown },
    isOperator: (key: string): boolean => isOperator(key) || ['$and', '$or', '$not'].includes(key),
    webhook: { webhookEvents },
    templateConfiguration: unavailable('templateConfiguration'),
    traverse: Object.fromEntries(
      ['traverseQueryFilters', 'traverseQuerySort', 'traverseQueryPopulate', 'traverseQueryFields'].map((name) => [
        name,
        unavailable(`traverse.${name}`),
      ]),
    ),
  };
  // Assigned with its getter: yup is loaded on first use.
  return Object.defineProperties(utilities, Object.getOwnPropertyDescriptors(createYupUtilities()));
}

const webhookEvents = {
  ENTRY_CREATE: 'entry.create',
  ENTRY_UPDATE: 'entry.update',
  ENTRY_DELETE: 'entry.delete',
  ENTRY_PUBLISH: 'entry.publish',
  ENTRY_UNPUBLISH: 'entry.unpublish',
  MEDIA_CREATE: 'media.create',
  MEDIA_UPDATE: 'media.update',
  MEDIA_DELETE: 'media.delete',
};

const unavailable = (name: string) => (): never => {
  throw new Error(`${name} of @strapi/utils is not available`);
};

/** The `data` of a form, and its files by path. @throws ValidationError if the request is not a form, or has no data */
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
