import type { ContentTypeDefinition, Defined } from '../../content-types/model/definition.js';
import { isOfService, ofService } from '../../content-types/model/system-attributes.js';
import type { ContentType, Registry } from '../../content-types/model/types.js';
import { readableFields } from '../../query/parse/parse-selection.js';
import type { Audience } from '../../query/visibility.js';

export const FILE = 'plugin::upload.file';
export const FOLDER = 'plugin::upload.folder';

const fileDefinition = {
  kind: 'collectionType',
  collectionName: 'files',
  info: { singularName: 'file', pluralName: 'files', displayName: 'File' },
  // The sweep looks for hashes, and who is about to upload bytes for theirs.
  options: { indexes: [{ hash: 1 }, { contentDigest: 1 }] },
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
    /** Of the bytes as they were received; nobody but the service has it. */
    contentDigest: { type: 'string', private: true, visible: false, pluginOptions: ofService },
  },
} as const satisfies ContentTypeDefinition;

const folderDefinition: ContentTypeDefinition = {
  kind: 'collectionType',
  collectionName: 'upload_folders',
  info: { singularName: 'folder', pluralName: 'folders', displayName: 'Folder' },
  attributes: {
    name: { type: 'string', required: true, minLength: 1 },
    pathId: { type: 'integer', required: true, unique: true },
    parent: { type: 'relation', relation: 'manyToOne', target: FOLDER, inversedBy: 'children' },
    children: { type: 'relation', relation: 'oneToMany', target: FOLDER, mappedBy: 'parent' },
    files: { type: 'relation', relation: 'oneToMany', target: FILE, mappedBy: 'folder' },
    path: { type: 'string', required: true, minLength: 1 },
  },
};

/**
 * Strapi v4's types of files, and of folders of the media library, which only GraphQL returns.
 * @param trash for how many days deleted files are kept; undefined: they are not
 */
export const createDefinitions = (trash: number | undefined): readonly Defined<ContentTypeDefinition>[] => {
  const options = { ...fileDefinition.options, ...(trash !== undefined && { trash }) };
  return [
    { uid: FILE, file: 'plugin upload', definition: { ...fileDefinition, options } },
    { uid: FOLDER, file: 'plugin upload', definition: folderDefinition },
  ];
};

export const fileAction = (name: string): string => `plugin::upload.content-api.${name}`;
export const folderAction = (name: string): string => `${FOLDER}.${name}`;

export const fileTypeOf = (registry: Registry): ContentType => linked(registry, FILE);
export const folderTypeOf = (registry: Registry): ContentType => linked(registry, FOLDER);

function linked({ contentTypes }: Registry, uid: string): ContentType {
  const type = contentTypes.get(uid);
  if (type === undefined) throw new Error(`${uid} is not a content type`);
  return type;
}

/** The names of the attributes of files that an audience gets when it writes them. */
export const shownFields = (registry: Registry, audience: Audience): readonly string[] =>
  readableFields(fileTypeOf(registry).attributes, audience)
    .filter((attribute) => !isOfService(attribute))
    .map(({ name }) => name);
