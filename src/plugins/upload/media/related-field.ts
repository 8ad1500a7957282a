import { isRecord } from '../../../config/record.js';
import type { Component, ContentType } from '../../../content-types/model/types.js';
import { AppError } from '../../../errors/app-error.js';
import type { Selection } from '../../../query/ast.js';
import { entriesOf, isNothing, type QueryInput } from '../../../query/parse/input.js';
import {
  selectFields,
  selectFieldsOfAny,
  createPopulateParser,
  withinLimit,
} from '../../../query/parse/parse-selection.js';
import type { PluginContext } from '../../contract/plugin.js';
import type { RelatedRequest } from './find-related.js';

const RELATED = 'related';

/**
 * Removes `related` from populate in any form: it is not an attribute of files, but computed from references. Returns
 * the rest of the query for files, and the selection of related entries; undefined if it selects none.
 */
export function readRelatedField(query: QueryInput) {
  const { populate, ...others } = query;
  const { rest, related } = takeFrom(populate);
  return { rest: { ...others, ...(rest !== undefined && { populate: rest }) }, related };
}

const emptyQuery: QueryInput = {};

/** The selection of several paths. */
function mergeRelated(parts: readonly QueryInput[]): QueryInput | undefined {
  if (parts.length === 0) return undefined;
  const below = parts.flatMap(({ populate }) => populate ?? []);
  return below.length > 0 ? { populate: below } : emptyQuery;
}

function takeFrom(populate: unknown): { readonly rest: unknown; readonly related: QueryInput | undefined } {
  if (populate === '*') return { rest: populate, related: emptyQuery };
  if (typeof populate === 'string') {
    const paths = populate.split(',').map((path) => path.trim());
    const others = paths.filter((path) => path.split('.')[0] !== RELATED);
    const below = paths.flatMap((path) => (path.startsWith(`${RELATED}.`) ? [path.slice(RELATED.length + 1)] : []));
    const related = below.length > 0 ? { populate: below } : emptyQuery;
    return {
      rest: others.length > 0 ? others.join(',') : undefined,
      related: others.length < paths.length ? related : undefined,
    };
  }
  if (Array.isArray(populate)) {
    const parts = populate.map(takeFrom);
    const rest = parts.flatMap((part) => (part.rest === undefined ? [] : [part.rest]));
    const related = mergeRelated(parts.map((part) => part.related).filter((part) => part !== undefined));
    return { rest: rest.length > 0 ? rest : undefined, related };
  }
  if (!isRecord(populate) || !Object.hasOwn(populate, RELATED)) return { rest: populate, related: undefined };
  const { [RELATED]: requested, ...rest } = populate;
  if (requested === 'false' || requested === false) return { rest, related: undefined };
  return { rest, related: isRecord(requested) ? requested : emptyQuery };
}

/** Parameters that would need a read of each type by itself. */
const refused = ['filters', 'sort', 'start', 'limit', 'publicationState'] as const;

function checkSupported(request: QueryInput): void {
  const name = refused.find((key) => !isNothing(request[key]));
  if (name === undefined) return;
  const message = `populate.related.${name} is not supported: the related entries of files have one order, without filters`;
  throw new AppError('invalidValue', message);
}

/**
 * The selection of the entries and components that have a file, by type. As for morph relations, `on` lists the types;
 * without it `fields` can name attributes that only some of them have.
 * @throws AppError invalidParameter, invalidValue, tooCostly
 */
export function selectRelated(request: QueryInput, { registry, limits }: PluginContext): RelatedRequest['select'] {
  checkSupported(request);
  const models = [...registry.contentTypes.values(), ...registry.components.values()];
  const selections = isNothing(request['on']) ? selectAll(request, models) : selectListed(request['on'], models);
  for (const selection of selections.values()) withinLimit(selection, limits.populateLimit);
  return ({ uid }) => selections.get(uid);
}

type Models = readonly (ContentType | Component)[];

function selectAll({ fields, populate }: QueryInput, models: Models): ReadonlyMap<string, Selection> {
  const { byModel } = selectFieldsOfAny(fields, models, 'client');
  const parsePopulate = createPopulateParser('client');
  return new Map(
    byModel.map(({ model: { uid, attributes }, selected }) => [
      uid,
      { fields: selected, populate: parsePopulate(populate, attributes) },
    ]),
  );
}

function selectListed(on: unknown, models: Models): ReadonlyMap<string, Selection> {
  const parsePopulate = createPopulateParser('client');
  return new Map(
    entriesOf(Object(on) as object).map(([uid, within]) => {
      const model = models.find((candidate) => candidate.uid === uid);
      if (model === undefined) throw new AppError('invalidParameter', uid);
      const request: QueryInput = isRecord(within) ? within : {};
      checkSupported(request);
      const { attributes } = model;
      const populate = parsePopulate(request['populate'], attributes);
      return [uid, { ...selectFields(request['fields'], attributes, 'client'), populate }];
    }),
  );
}
