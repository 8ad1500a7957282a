import lodash from 'lodash';
import { slugOf, type SlugOptions } from '../../documents/slug.js';
import type { Named, StrapiContext } from '../strapi.js';

/** A `uid` attribute of a content type. */
interface Place {
  readonly contentTypeUID: string;
  readonly field: string;
}

/** The service `uid` of content-manager, by which projects fill slugs of entries that are created over the API. */
export const uidService = ({ strapi }: StrapiContext): Named => {
  const query = (uid: string): Named => strapi.query(uid) as Named;
  const findUniqueUID = async ({
    contentTypeUID,
    field,
    value,
  }: Place & { readonly value: string }): Promise<string> => {
    const where = { [field]: { $contains: value } };
    const entries: readonly Named[] = await query(contentTypeUID)['findMany']({ select: [field], where });
    if (entries.length === 0) return value;
    const used = new Set(entries.map((entry) => entry[field] as unknown));
    for (let suffix = 1; ; suffix += 1) if (!used.has(`${value}-${suffix}`)) return `${value}-${suffix}`;
  };
  return {
    /**
     * The value for an entry with this data: made of the target field, otherwise of the default or the name of the
     * type.
     */
    generateUIDField: async ({ contentTypeUID, field, data }: Place & { readonly data?: unknown }) => {
      const model = strapi.contentTypes[contentTypeUID];
      const attribute: Named | undefined = model?.attributes[field];
      if (model === undefined || attribute === undefined)
        throw new Error(`unknown attribute ${field} of ${contentTypeUID}`);
      const { targetField, default: fallback, options } = attribute;
      const source: unknown = lodash.get(data, String(targetField));
      const text = lodash.isEmpty(source) ? (fallback ?? model.info['singularName']) : source;
      return findUniqueUID({ contentTypeUID, field, value: slugOf(String(text), options as SlugOptions) });
    },
    /** The value, or the first of it with a number that no entry has. */
    findUniqueUID,
    checkUIDAvailability: async ({ contentTypeUID, field, value }: Place & { readonly value: unknown }) =>
      (await query(contentTypeUID)['count']({ where: { [field]: value } })) === 0,
  };
};
