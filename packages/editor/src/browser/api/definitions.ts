import type { DefinitionChange } from '../model/builder/edit.js';
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

export interface StoredModels {
  /** Differs from one start of the service to the next; 0 where nothing can be changed. */
  readonly started: number;
  readonly models: readonly DefinedModel[];
}

/** The content types and components of the project. */
export async function readModels(api: Api): Promise<StoredModels> {
  const described = await Promise.all(
    ['content-types', 'components'].map(
      async (path) =>
        ((await api.get(`content-type-builder/${path}`)).body as { readonly data: readonly Described[] }).data,
    ),
  );
  const models = described
    .flat()
    .filter(({ uid }) => uid.startsWith('api::') || !uid.includes('::'))
    .map(({ uid, schema }) => {
      const { kind, attributes, draftAndPublish = false, pluginOptions = {}, ...info } = schema;
      const frame = kind === undefined ? {} : { kind, options: { draftAndPublish }, pluginOptions };
      return { uid, definition: { ...frame, info, attributes } };
    });
  return { started: 0, models };
}

const PATH = 'content-type-builder/definitions';

/** The content types and components as their files have them, to change them. */
export async function readDefinitions(api: Api): Promise<StoredModels> {
  const { body } = await api.get(PATH);
  const { started, definitions } = (
    body as { readonly data: Omit<StoredModels, 'models'> & { readonly definitions: StoredModels['models'] } }
  ).data;
  return { started, models: definitions };
}

interface Finding {
  readonly subject: string;
  readonly text: string;
  /** 0: they are not counted. */
  readonly entries: number;
}

export interface Preview {
  /** Each with its texts; null: there is no such file. */
  readonly files: readonly { readonly file: string; readonly before: string | null; readonly after: string | null }[];
  /** What happens to stored entries. */
  readonly stored: {
    readonly found: readonly Finding[];
    readonly unfit: readonly Finding[];
    readonly problems: readonly string[];
  };
}

export const previewChanges = async (api: Api, changes: readonly DefinitionChange[]): Promise<Preview> =>
  ((await api.send('POST', `${PATH}/preview`, { body: { changes } })).body as { readonly data: Preview }).data;

export const writeChanges = async (api: Api, changes: readonly DefinitionChange[]): Promise<void> => {
  await api.send('PUT', PATH, { body: { changes } });
};
