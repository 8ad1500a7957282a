import type { ContentTypeDefinition, Defined } from '../../../content-types/model/definition.js';

export const FOLDER = 'plugin::upload.folder';

const folderDefinition: ContentTypeDefinition = {
  kind: 'collectionType',
  collectionName: 'upload_folders',
  info: { singularName: 'folder', pluralName: 'folders', displayName: 'Folder' },
  attributes: {
    name: { type: 'string', required: true, minLength: 1 },
    pathId: { type: 'integer', required: true, unique: true },
    parent: { type: 'relation', relation: 'manyToOne', target: FOLDER, inversedBy: 'children' },
    children: { type: 'relation', relation: 'oneToMany', target: FOLDER, mappedBy: 'parent' },
    files: { type: 'relation', relation: 'oneToMany', target: 'plugin::upload.file', mappedBy: 'folder' },
    path: { type: 'string', required: true, minLength: 1 },
  },
};

/** Strapi v4's folder of the media library; only GraphQL returns it. */
export const folderType: Defined<ContentTypeDefinition> = {
  uid: FOLDER,
  file: 'plugin upload',
  definition: folderDefinition,
};
