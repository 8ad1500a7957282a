import type { DefinedModel, Definition } from '../model/builder/models.js';
import type { Api } from './api.js';

/** As Strapi v4's content-type builder describes a type or a component. */
interface Described {
  readonly uid: string;
  readonly schema: Definition['info'] & {
    readonly kind?: Definition['kind'];
    readonly draftAndPublish?: boolean;
    readonly pluginOptions?: Definition['pluginOptions'];
    readonly attributes: Definition['attributes'];
  };
}

/** The content types and components of the project. */
export async function readModels(api: Api): Promise<readonly DefinedModel[]> {
  const described = await Promise.all(
    ['content-types', 'components'].map(
      async (path) =>
        ((await api.get(`content-type-builder/${path}`)).body as { readonly data: readonly Described[] }).data,
    ),
  );
  return described
    .flat()
    .filter(({ uid }) => uid.startsWith('api::') || !uid.includes('::'))
    .map(({ uid, schema }) => {
      const { kind, attributes, draftAndPublish = false, pluginOptions = {}, ...info } = schema;
      const frame = kind === undefined ? {} : { kind, options: { draftAndPublish }, pluginOptions };
      return { uid, definition: { ...frame, info, attributes } };
    });
}
