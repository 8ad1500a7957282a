import type { Component, ContentType } from '../../../content-types/model/types.js';
import { AppError } from '../../../errors/app-error.js';
import type { Selection } from '../../../query/ast.js';
import { isRecord } from '../../../config/record.js';
import { entriesOf, isNothing, type QueryInput } from '../../../query/parse/input.js';
import { selectFields, selectFieldsOfAny } from '../../../query/parse/parse-fields.js';
import { createPopulateParser } from '../../../query/parse/parse-populate.js';
import { withinLimit } from '../../../query/parse/parse-query.js';
import type { PluginContext } from '../../contract/plugin.js';
import type { RelatedRequest } from '../media/find-related.js';

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
export function selectRelated(request: QueryInput, context: PluginContext): RelatedRequest['select'] {
  checkSupported(request);
  const { contentTypes, components } = context.registry;
  const models = [...contentTypes.values(), ...components.values()];
  const selections = isNothing(request['on']) ? selectAll(request, models) : selectListed(request['on'], models);
  const limited = new Map(
    [...selections].map(([uid, selection]) => [uid, withinLimit(selection, context.limits.populateLimit)]),
  );
  return ({ uid }) => limited.get(uid);
}

type Models = readonly (ContentType | Component)[];

function selectAll({ fields, populate }: QueryInput, models: Models): ReadonlyMap<string, Selection> {
  const { fieldsOf } = selectFieldsOfAny(fields, models, 'client');
  const parsePopulate = createPopulateParser('client');
  return new Map(
    models.map((model) => [
      model.uid,
      { fields: fieldsOf(model), populate: parsePopulate(populate, model.attributes) },
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
