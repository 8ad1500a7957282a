import type { ContentTypeDefinition, Defined } from '../../../content-types/model/definition.js';
import type { ContentType, Registry } from '../../../content-types/model/types.js';
import { FOLDER } from '../folders/definition.js';

export const FILE = 'plugin::upload.file';

const fileDefinition: ContentTypeDefinition = {
  kind: 'collectionType',
  collectionName: 'files',
  info: { singularName: 'file', pluralName: 'files', displayName: 'File' },
  // The sweep looks for them.
  options: { indexes: [{ hash: 1 }] },
  attributes: {
    name: { type: 'string', required: true },
    alternativeText: { type: 'string' },
    caption: { type: 'string' },
    focalPoint: { type: 'json', pluginOptions: { 'content-api': { omitNull: true } } },
    width: { type: 'integer' },
    height: { type: 'integer' },
    formats: { type: 'json' },
    hash: { type: 'string', required: true },
    ext: { type: 'string' },
    mime: { type: 'string', required: true },
    size: { type: 'decimal', required: true },
    url: { type: 'string', required: true },
    previewUrl: { type: 'string' },
    provider: { type: 'string', required: true },
    provider_metadata: { type: 'json' },
    folder: { type: 'relation', relation: 'manyToOne', target: FOLDER, inversedBy: 'files', private: true },
    folderPath: { type: 'string', private: true },
  },
};

/** Strapi v4's file type. */
export const fileType: Defined<ContentTypeDefinition> = {
  uid: FILE,
  file: 'plugin upload',
  definition: fileDefinition,
};

export const fileAction = (name: string): string => `plugin::upload.content-api.${name}`;

export const fileTypeOf = (registry: Registry): ContentType => requireType(registry, FILE);

/** A type of this plugin, linked. */
export function requireType({ contentTypes }: Registry, uid: string): ContentType {
  const type = contentTypes.get(uid);
  if (type === undefined) throw new Error(`${uid} is not a content type`);
  return type;
}
