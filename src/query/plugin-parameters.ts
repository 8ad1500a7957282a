import lodash from 'lodash';
import type { ContentType, ParameterValues, QueryParameter } from '../content-types/model/types.js';
import { AppError } from '../errors/app-error.js';
import type { Query } from './ast.js';
import type { QueryInput } from './parse/input.js';

/** The parameters of a query without any. */
export const noValues: ParameterValues = {};

/**
 * Parses the parameters that plugins add to queries on a type.
 * @param only the part that the request has; default: all
 * @param pathOf where a parameter is; default: its name
 * @throws AppError for an invalid value
 */
export function parseValues(
  input: QueryInput,
  type: ContentType,
  only?: QueryParameter['part'],
  pathOf = (name: string): string => name,
): ParameterValues {
  let values: Record<string, unknown> | undefined;
  for (const { name, part, isOn, isInherited, parse } of type.parameters) {
    const value = input[name];
    if (value === undefined || (only !== undefined && part !== only) || !(isInherited === true || isOn(type))) continue;
    values ??= {};
    values[name] = parse(value, pathOf(name));
  }
  return values ?? noValues;
}

/** The parameters of a type that are for it. */
export const parametersOf = (type: ContentType): readonly QueryParameter[] =>
  type.parameters.filter(({ isOn }) => isOn(type));

/** The value of a parameter; undefined if the query has none. */
export const valueOf = <V>(
  { parameters = noValues }: { readonly parameters?: ParameterValues },
  { name }: QueryParameter<V>,
): V | undefined => parameters[name] as V | undefined;

/**
 * The name of the relation to the entries that can be shown in place of the one that a query names; undefined: it shows
 * that one.
 */
export const alternativesOf = ({ type, parameters }: Pick<Query, 'type' | 'parameters'>): string | undefined =>
  type.parameters.find(({ name, alternatives }) => alternatives !== undefined && parameters[name] !== undefined)
    ?.alternatives;

/**
 * Refuses parameters by which a read of one entry can show another one than the id names.
 * @param reason why only the named one may be shown
 * @throws AppError badRequest
 */
export function refuseAlternatives({ type, parameters }: Pick<Query, 'type' | 'parameters'>, reason: string): void {
  const found = type.parameters.find(
    ({ name, alternatives }) => alternatives !== undefined && parameters[name] !== undefined,
  );
  if (found !== undefined) throw new AppError('badRequest', `${found.name} is not supported here: ${reason}`);
}

/** The names of the parameters of plugins for reads. */
const readParametersOf = (type: ContentType): readonly string[] =>
  parametersOf(type).flatMap(({ name, part }) => (part === 'state' ? [name] : []));

/** Refuses the parameters of plugins for reads where they would have no effect. @throws AppError badRequest */
export function refuseReadParameters(query: QueryInput, type: ContentType, reason: string): void {
  const found = readParametersOf(type).find((name) => query[name] !== undefined);
  if (found !== undefined) throw new AppError('badRequest', `${found} is not supported here: ${reason}`);
}

/** A query without the parameters of plugins for reads. */
export const withoutReadParameters = (query: QueryInput, type: ContentType): QueryInput =>
  lodash.omit(query, readParametersOf(type));

/** The query, which shows only the entry that it names. */
export const withoutAlternatives = (query: Query): Query => {
  const named = query.type.parameters.filter(({ alternatives }) => alternatives === undefined);
  return { ...query, parameters: Object.fromEntries(named.map(({ name }) => [name, query.parameters[name]])) };
};

/** The values with which a query selects entries whatever their attributes, e.g. in all locales. */
export const anyValues = (type: ContentType): ParameterValues =>
  Object.fromEntries(
    type.parameters.flatMap(({ name, selects }) => (selects === undefined ? [] : [[name, selects.all]])),
  );

/** The attributes that the values select by, as a new entry has them. */
export const selectedValues = (type: ContentType, parameters: ParameterValues): ParameterValues =>
  Object.fromEntries(
    parametersOf(type).flatMap(({ name, selects }) => {
      const value = parameters[name];
      return selects !== undefined && typeof value === 'string' ? [[selects.attribute, value]] : [];
    }),
  );

/** Whether it selects several entries of a single type. */
export const selectsAll = ({ type, parameters }: Query): boolean =>
  alternativesOf({ type, parameters }) === undefined &&
  parametersOf(type).some(({ name, selects }) => selects !== undefined && parameters[name] === selects.all);
