import { withAbsentOfStrapi5 } from '../absent-members.js';
import { isRecord } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { parts } from '../utilities/sanitize/sanitize-query.js';
import { callerOf } from '../utilities/sanitize/create-sanitizing.js';
import type { Model, Named, StrapiContext } from '../strapi.js';
import { codeFormOf } from './code-form.js';

/**
 * `strapi.contentAPI`: what clients may see is as with `sanitize.contentAPI` of Strapi v4, and what they may name is as
 * over Strapi 5's API.
 */
export function createContentApiOfCode(context: StrapiContext): Named {
  const { utils } = context;
  const { contentAPI: sanitize } = utils['sanitize'] as Named<Named>;
  const { contentAPI: validate } = utils['validate'] as Named<Named>;
  const typeOf = ({ uid }: Model): ContentType | undefined =>
    context.runtime('strapi.contentAPI').registry.contentTypes.get(uid);
  const checkQuery = async (query: unknown, model: Model, options: Named = {}): Promise<void> => {
    const type = typeOf(model);
    if (type !== undefined && isRecord(query)) codeFormOf(context).checkQuery(query, type, clientOf(options));
  };
  const checkData = async (data: unknown, model: Model, options: Named = {}): Promise<void> => {
    const type = typeOf(model);
    for (const one of [data].flat())
      if (type !== undefined && isRecord(one)) codeFormOf(context).checkData(one, type, clientOf(options));
    await validate?.['input'](data, model, options);
  };
  return withAbsentOfStrapi5('strapi.contentAPI', {
    sanitize,
    validate: {
      query: checkQuery,
      input: checkData,
      ...Object.fromEntries(
        parts.map((part) => [
          part,
          async (value: unknown, model: Model, options?: Named) => checkQuery({ [part]: value }, model, options),
        ]),
      ),
    },
  });
}

const clientOf = ({ auth }: Named): Caller => callerOf(auth as Named | undefined);
