import type { Registry } from '../../content-types/model/types.js';
import { inData } from '../contract/content-type-routes.js';
import type { Route } from '../contract/plugin.js';
import { findKnown } from './forms/known-files.js';
import { deleteFile, findFile, findFiles } from './forms/read-files.js';
import { writeFiles } from './forms/write-files.js';
import type { Running } from './running.js';
import { fileAction, fileTypeOf } from './definitions.js';

const file = { $ref: '#/components/schemas/UploadFileRecord' };
const list = { type: 'array', items: file };
const text = { type: 'string' };
const form = {
  type: 'object',
  properties: {
    files: { type: 'array', items: { type: 'string', contentMediaType: 'application/octet-stream' } },
    fileInfo: {
      type: 'string',
      description: 'JSON: `{ name, alternativeText, caption, focalPoint: { x, y } }`, or a list of these',
    },
    ref: text,
    refId: text,
    field: text,
  },
};

/** Strapi v4's routes for files. */
export const createRoutes = (parts: () => Running): readonly Route[] => [
  {
    method: 'POST',
    path: '/upload',
    action: fileAction('upload'),
    handle: (request) => writeFiles(request, parts()),
    description: {
      summary: 'Upload files; with `id` replace a file or change its information',
      query: ['id'],
      form,
      response: {},
    },
  },
  {
    method: 'GET',
    path: '/upload/files',
    action: fileAction('find'),
    caching: 'public',
    handle: (request) => findFiles(request, parts()),
    description: {
      summary: 'List files',
      query: ['filters', 'sort', 'fields', 'start', 'limit', 'withCount', 'unused'],
      response: list,
    },
  },
  {
    method: 'GET',
    path: '/upload/files/:id',
    action: fileAction('findOne'),
    caching: 'public',
    handle: (request) => findFile(request, parts().context),
    description: { summary: 'Read the information of a file', response: file },
  },
  {
    method: 'DELETE',
    path: '/upload/files/:id',
    action: fileAction('destroy'),
    handle: (request) => deleteFile(request, parts().context),
    description: { summary: 'Delete a file', response: file },
  },
];

/** The route that finds files by their bytes. */
export const createKnownRoutes = (registry: Registry, parts: () => Running): readonly Route[] => [
  {
    method: 'GET',
    path: '/upload/files/known',
    action: fileAction('find'),
    caching: 'never',
    shortcut: { type: fileTypeOf(registry), shortcutOf: ['find'], allowedWithGuards: false },
    handle: (request) => findKnown(request, parts().context),
    description: {
      summary: 'Find files by the SHA-256 of the bytes that were uploaded',
      query: ['sha256'],
      response: inData({ type: 'array', items: { type: 'object', properties: { sha256: text, file } } }),
    },
  },
];
