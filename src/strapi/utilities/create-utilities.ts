import { createEnv } from '../../config/project/env.js';
import type { ContentType } from '../../content-types/model/types.js';
import { convertParams, convertQuery } from '../entity-service/convert-params.js';
import type { Anything, Model, Named, Runtime, Strapi } from '../strapi.js';
import { errors } from './errors.js';
import { asyncUtilities } from './async.js';
import { contentTypes, relations, setCreatorFields } from './content-types.js';
import { file } from './files.js';
import { hooks, providerFactory } from './hooks.js';
import { pagination } from './pagination.js';
import { parseType } from './parse-type.js';
import { isOperatorOfType, isStrapiOperator } from './operators.js';
import { createPolicyUtilities } from './policy.js';
import { createSanitizing } from './sanitize/create-sanitizing.js';
import { stringUtilities } from './strings.js';
import { urlUtilities } from './urls.js';
import { createYupUtilities } from './yup.js';

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
  const attributesOf = (model: Model | undefined): ContentType['attributes'] =>
    (model && runtime('convertQueryParams').registry.contentTypes.get(model.uid)?.attributes) ?? new Map();
  const convert = {
    convertSortQueryParams: (sort: unknown) => convertQuery({ sort }, new Map())['orderBy'] as unknown,
    convertStartQueryParams: (start: unknown) => convertQuery({ start }, new Map())['offset'] as unknown,
    convertLimitQueryParams: (limit: unknown) => convertQuery({ limit }, new Map())['limit'] as unknown,
    convertFieldsQueryParams: (fields: unknown) => convertQuery({ fields }, new Map())['select'] as unknown,
    convertFiltersQueryParams: (filters: unknown, model?: Model) =>
      convertQuery({ filters }, attributesOf(model))['where'] as unknown,
    convertPopulateQueryParams: (populate: unknown, model?: Model) =>
      convertQuery({ populate }, attributesOf(model))['populate'] as unknown,
    /** Adds the filter of a publication state to a query. */
    convertPublicationStateParams: (model?: Model, { publicationState }: Named = {}, query: Named = {}): void => {
      if (model !== undefined) Object.assign(query, convertQuery({ publicationState }, new Map()));
    },
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
    ...createSanitizing(strapi, runtime),
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
    file,
    importDefault: (module: Anything): unknown =>
      module?.__esModule === true ? module : { default: module as unknown },
    isOperator: isStrapiOperator,
    isOperatorOfType,
    webhook: { webhookEvents },
    templateConfiguration: unavailable('templateConfiguration'),
    traverse: Object.fromEntries(
      ['factory', 'traverseQueryFilters', 'traverseQuerySort', 'traverseQueryPopulate', 'traverseQueryFields'].map(
        (name) => [name, unavailable(`traverse.${name}`)],
      ),
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
  throw new Error(`@strapi/utils.${name} is not supported`);
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
