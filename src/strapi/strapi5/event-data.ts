import lodash from 'lodash';
import { isRecord } from '../../config/record.js';
import { isLocalized } from '../../content-types/model/localized.js';
import type { Attribute, ContentType } from '../../content-types/model/types.js';
import type { Anything, Named } from '../strapi.js';

/** Set by the service. */
const kept: ReadonlySet<string> = new Set([
  'id',
  'documentId',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'locale',
  'createdBy',
  'updatedBy',
]);

/** What code has changed in the data of a row, beside what the service sets. */
export const changesOf = (changed: Named, row: Named): Named =>
  lodash.pickBy(changed, (value, name) => !kept.has(name) && !lodash.isEqual(value, row[name]));

/**
 * The data of a row that takes the place of another, as events show it (recorded: code/55-lifecycles-documents). Code
 * may change it in place.
 */
export const newRow = ({ attributes }: ContentType, row: Named, publishedAt: Date | null): Named => ({
  createdBy: null,
  updatedBy: null,
  ...lodash.cloneDeep(
    lodash.omitBy(
      row,
      (value, name) => name === 'id' || (value === null && attributes.get(name)?.kind === 'component'),
    ),
  ),
  publishedAt,
});

/** The data of an event, with what Strapi adds to it. */
export const eventData = (type: ContentType, params: Named): { readonly data: Anything } => {
  const { data, locale } = params;
  if (!isRecord(data)) return { data };
  return {
    data: {
      ...data,
      publishedAt: type.draftAndPublish ? null : new Date(),
      ...(isLocalized(type) && typeof locale === 'string' && { locale }),
    },
  };
};

/**
 * The data of the event of a new entry: with its defaults, and relations as changes (recorded:
 * code/55-lifecycles-documents).
 */
export const createData = (type: ContentType, params: Named): { readonly data: Anything } => {
  const { data } = eventData(type, params);
  if (!isRecord(data)) return { data };
  const now = new Date();
  const added = [...type.attributes.values()].flatMap((attribute) => {
    const value = attribute.name in data ? undefined : defaultOf(attribute);
    return value === undefined ? [] : [[attribute.name, value]];
  });
  const changes = lodash.mapValues(data, (value, name) => relatedChange(value, type.attributes.get(name)));
  return { data: { ...Object.fromEntries(added), createdAt: now, updatedAt: now, ...changes } };
};

/** Related entries that are named without a change replace others. */
function relatedChange(value: unknown, attribute: Attribute | undefined): unknown {
  if (attribute?.kind !== 'relation' || attribute.media || value === null || value === undefined || value === '')
    return value;
  if (Array.isArray(value)) return { set: value };
  if (!isRecord(value)) return typeof value === 'boolean' ? value : { set: [value] };
  return value['id'] === undefined && value['documentId'] === undefined ? value : { set: [value] };
}

function defaultOf(attribute: Attribute): unknown {
  if (attribute.kind === 'scalar') return attribute.default;
  return attribute.kind === 'zone' || (attribute.kind === 'component' && attribute.repeatable) ? [] : undefined;
}

/** Without the times that the service sets itself. */
export const withoutAdded = (data: Anything, given: Anything): Anything =>
  isRecord(data) && isRecord(given)
    ? lodash.omitBy(
        data,
        (value, name) => ['createdAt', 'updatedAt'].includes(name) && value === given[name] && value instanceof Date,
      )
    : data;

/** The parameters of a read as events show them: those of `strapi.db.query`. */
export const queryOf = ({ filters, fields, populate, sort, start, limit, _q }: Named): Named =>
  lodash.omitBy(
    {
      where: (filters ?? {}) as unknown,
      // Without effect (recorded: code/56-lifecycles-other).
      filters: filters as unknown,
      select: fields as unknown,
      populate,
      orderBy: sort as unknown,
      offset: start as unknown,
      limit,
      _q,
    },
    (value) => value === undefined,
  );

/** The parameters of a call with what code that observes it has changed. */
export const paramsOf = (params: Named, { where, select, populate, orderBy, offset, limit, _q }: Named): Named => ({
  ...params,
  filters: where as unknown,
  fields: select as unknown,
  populate,
  sort: orderBy as unknown,
  start: offset as unknown,
  limit,
  _q,
});
