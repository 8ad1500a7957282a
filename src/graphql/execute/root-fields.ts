import lodash from 'lodash';
import { isAbsent } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { GraphqlResolver, GraphqlResolvers } from '../../plugins/contract/graphql/parts.js';
import type { FieldGuard, FieldGuards } from '../field-guards.js';
import type { GeneratedSchema } from '../schema/generate.js';
import type { RootField, RootFields } from '../schema/root-fields.js';
import type { Arguments } from './listing.js';

interface RootOptions {
  readonly resolveField: (path: string, field: RootField) => GraphqlResolver;
  /** The permission that a field needs; undefined: none. */
  readonly actionOf: (path: string, field: RootField) => string | undefined;
  readonly guardOf: FieldGuards;
}

/** The generated fields of Query and Mutation, in any schema, with the promises that each keeps. */
export function rootResolvers(
  { query, mutation }: GeneratedSchema,
  { resolveField, actionOf, guardOf }: RootOptions,
): GraphqlResolvers {
  const fieldsOf = (name: string, fields: RootFields): Readonly<Record<string, GraphqlResolver>> =>
    Object.fromEntries(
      [...fields].map(([field, rootField]) => {
        const path = `${name}.${field}`;
        const counted = counting(rootField.type, resolveField(path, rootField));
        const resolve = requirePermission(actionOf(path, rootField), counted, guardOf(path));
        return [field, showing(resolve, rootField.shown)];
      }),
    );
  return { Query: lodash.mapValues(fieldsOf('Query', query), holdRead), Mutation: fieldsOf('Mutation', mutation) };
}

/** A resolver with what a form shows of its result; null stays null. */
export const showing = (resolve: GraphqlResolver, shown?: (result: unknown) => unknown): GraphqlResolver =>
  shown === undefined
    ? resolve
    : (...resolved) => {
        const result = resolve(...resolved);
        const show = (settled: unknown): unknown => (isAbsent(settled) ? settled : shown(settled));
        return result instanceof Promise ? result.then(show) : show(result);
      };

/** A field of Query, which the cache of responses may hold back. */
const holdRead =
  (resolve: GraphqlResolver): GraphqlResolver =>
  (source, args, context, info) =>
    context.hold === undefined
      ? resolve(source, args, context, info)
      : context.hold((read) => resolve(source, args, { ...context, read }, info));

/** Wraps a resolver with its permission check and the project's policies. */
export const requirePermission =
  (action: string | undefined, resolve: GraphqlResolver, guard?: FieldGuard): GraphqlResolver =>
  (source, args, context, info) => {
    if (action !== undefined && !context.caller.may(action)) throw new AppError('forbidden', 'Forbidden access');
    if (guard === undefined) return resolve(source, args, context, info);
    return guard(args as Arguments, context, () => resolve(source, args, context, info));
  };

/** Wraps a resolver with the count of the data that it writes. */
const counting =
  (type: ContentType, resolve: GraphqlResolver): GraphqlResolver =>
  (source, args, context, info) => {
    const { data } = args as Arguments;
    if (data !== undefined) context.countData(type, data);
    return resolve(source, args, context, info);
  };
