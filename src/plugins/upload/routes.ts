import type { Route } from '../plugin.js';
import { deleteFile, findFile, findFiles } from './read-files.js';
import { writeFiles, type WriteParts } from './write-files.js';

const action = (name: string): string => `plugin::upload.content-api.${name}`;

/** Strapi v4's routes for files; `parts` are there when the service has started. */
export const createRoutes = (parts: () => WriteParts): readonly Route[] => [
  {
    method: 'POST',
    path: '/upload',
    action: action('upload'),
    handle: (request) => writeFiles(request, parts()),
  },
  {
    method: 'GET',
    path: '/upload/files',
    action: action('find'),
    handle: (request) => findFiles(request, parts().context),
  },
  {
    method: 'GET',
    path: '/upload/files/:id',
    action: action('findOne'),
    handle: (request) => findFile(request, parts().context),
  },
  {
    method: 'DELETE',
    path: '/upload/files/:id',
    action: action('destroy'),
    handle: (request) => deleteFile(request, parts().context),
  },
];
