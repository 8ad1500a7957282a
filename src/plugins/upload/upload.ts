import type { PluginFactory } from '../plugin.js';
import { fileDefinition } from './file.js';

/** The media library: the file type that media fields lead to. */
export const createUpload: PluginFactory = () => ({
  name: 'upload',
  contentTypes: [{ uid: 'plugin::upload.file', file: 'plugin upload', definition: fileDefinition }],
});
