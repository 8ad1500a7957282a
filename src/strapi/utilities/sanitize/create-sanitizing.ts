import lodash from 'lodash';
import { isAbsent } from '../../../config/record.js';
import type { ContentType } from '../../../content-types/model/types.js';
import type { Caller } from '../../../documents/caller.js';
import { callerIn } from '../../../plugins/contract/code-state.js';
import { dropUnreadableTargets } from '../../../documents/input/permitted-data.js';
import { keepWithinRights } from '../../../documents/rights.js';
import { parseQuery } from '../../../query/parse/parse-query.js';
import { hasZone } from '../../../query/ast.js';
import type { Model, Named, Runtime, Strapi } from '../../strapi.js';
import type { GuardRegistry } from '../../services/guards.js';
import { errors } from '../errors.js';
import { getNonWritableAttributes } from '../content-types.js';
import { cleanEntry, type Sanitizing } from './sanitize-output.js';
import { cleanQuery, parts, type Part } from './sanitize-query.js';
import { createTraverseEntity } from './traverse-entity.js';
import { sanitizeVisitors, validateVisitors, visitPasswords, type MayFind } from './visitors.js';

interface Options {
  readonly auth?: Named | null | undefined;
}

/** The caller of an `auth`; without one everything except private attributes is visible, as in Strapi v4. */
export const callerOf = (auth: Options['auth']): Caller => ({
  kind: 'public',
  may: isAbsent(auth) ? () => true : callerIn({ auth }).may,
});

/** A method for each part: `sort`, or `defaultSanitizeSort` with a verb. */
const byPart = <T>(make: (part: Part) => T, verb = ''): Record<string, T> =>
  Object.fromEntries(parts.map((part) => [verb === '' ? part : verb + lodash.upperFirst(part), make(part)]));

type Method<T> = (data: T, model: Model, options?: Options) => Promise<unknown>;

/** As in Strapi v4, data without a schema is refused: nothing would be removed from it. */
const withSchema =
  <T>(name: string, method: Method<T>) =>
  async (data: T, model: Model | undefined, options?: Options): Promise<unknown> => {
    if (isAbsent(model)) throw new Error(`Missing schema in ${name}`);
    return method(data, model, options);
  };

/**
 * `sanitize`, `validate`, `sanitizeEntity` and `traverseEntity` of `@strapi/utils`.
 * @param strapi the application with the content types
 * @param runtime the running service
 * @param ids the names of ids, which are no attributes
 */
export function createSanitizing(
  strapi: Strapi,
  runtime: (wants: string) => Runtime,
  ids: ReadonlySet<string> = new Set(['id']),
): Named {
  const typeOf = ({ uid }: Model): ContentType | undefined => runtime('sanitize').registry.contentTypes.get(uid);
  const getModel = (uid: string): Model | undefined => strapi.getModel(uid);
  const sanitizing = ({ auth }: Options): Sanitizing => {
    const { may } = callerOf(auth);
    return { ids, getModel, mayFind: (uid) => may(`${uid}.find`) };
  };
  const output = async (data: unknown, model: Model, options: Options = {}): Promise<unknown> =>
    cleanEntry(data, model, sanitizing(options));
  const checkQuery = async (query: Named, model: Model, { auth }: Options = {}): Promise<void> => {
    const type = typeOf(model);
    if (type === undefined) return;
    const { plugins } = runtime('validate');
    // As in Strapi v4, pages are not checked: code has `start` and `limit` outside of `pagination`.
    const { filters, sort, fields, populate } = query;
    const parsed = parseQuery({ filters, sort, fields, populate }, type, 'client', plugins.limits);
    // The services leave such a filter out, as in Strapi v4, and would find more.
    if (parsed.filter !== undefined && hasZone(parsed.filter)) {
      throw new errors.ValidationError(
        `filters on dynamic zones are not supported here: code of the project reads ${model.uid}`,
      );
    }
    keepWithinRights(parsed, { action: 'find', caller: callerOf(auth) });
  };
  /** Data without attributes that clients cannot set, and without relations to types that they may not list. */
  const input = async (data: unknown, model: Model, options: Options = {}): Promise<unknown> => {
    const type = typeOf(model);
    if (Array.isArray(data)) return Promise.all(data.map((element) => input(element, model, options)));
    if (type === undefined || typeof data !== 'object' || data === null) return data;
    const fixed = new Set([...getNonWritableAttributes(model), ...ids]);
    const permitted = dropUnreadableTargets(data, type, callerOf(options.auth));
    return Object.fromEntries(Object.entries(permitted).filter(([name]) => !fixed.has(name)));
  };
  const query = async (input: Named, model: Model, options: Options = {}): Promise<unknown> =>
    cleanQuery(input, model, sanitizing(options));
  const cleanPart = (part: Part, value: unknown, model: Model, options: Options = {}): unknown =>
    cleanQuery({ [part]: value }, model, sanitizing(options))[part];
  const mayFind: MayFind = async (auth, uid) =>
    (strapi['auth'] as Named)['verify'](auth, { scope: `${uid}.find` }).then(
      () => true,
      () => false,
    );
  const traverseEntity = createTraverseEntity(getModel);
  const passwords = (visitor: (typeof visitPasswords)['remove']) => (schema: Model) => async (entity: unknown) =>
    traverseEntity(visitor, { schema }, entity);
  return {
    sanitize: {
      contentAPI: {
        output: withSchema('sanitizeOutput', output),
        input: withSchema('sanitizeInput', input),
        query: withSchema('sanitizeQuery', query),
        ...byPart((part) =>
          withSchema(`sanitize${lodash.upperFirst(part)}`, async (value: unknown, model, options) =>
            cleanPart(part, value, model, options),
          ),
        ),
      },
      sanitizers: {
        sanitizePasswords: passwords(visitPasswords.remove),
        defaultSanitizeOutput: (model: Model, data: unknown) => output(data, model),
        ...byPart(
          (part) => lodash.curry(async (model: Model, value: unknown) => cleanPart(part, value, model), 2),
          'defaultSanitize',
        ),
      },
      visitors: sanitizeVisitors(mayFind),
    },
    validate: {
      contentAPI: {
        query: withSchema('validateQuery', checkQuery),
        // Unlike Strapi v4, which ignores what they throw.
        input: withSchema('validateInput', async (data, model) => {
          const validators = (strapi['validators'] as GuardRegistry).get('content-api.input');
          for (const part of [data].flat()) for (const validate of validators) await validate(model)(part);
        }),
        ...byPart((part) =>
          withSchema(`validate${lodash.upperFirst(part)}`, async (value: unknown, model, options) =>
            checkQuery({ [part]: value }, model, options),
          ),
        ),
      },
      validators: {
        throwPasswords: passwords(visitPasswords.refuse),
        ...byPart(
          (part) =>
            lodash.curry(async (model: Model, value: unknown) => {
              await checkQuery({ [part]: value }, model);
              return value;
            }, 2),
          'defaultValidate',
        ),
      },
      visitors: validateVisitors(mayFind),
    },
    sanitizeEntity: (data: unknown, { schema, model = schema }: Named<Model> = {}) => {
      if (model === undefined) throw new Error('sanitizeEntity needs { model } or { schema }');
      return cleanEntry(data, model, sanitizing({}));
    },
    traverseEntity,
  };
}
