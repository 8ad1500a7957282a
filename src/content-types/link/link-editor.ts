import { isRecord } from '../../config/record.js';
import { readOptions, refuseOthers } from '../load/read-options.js';
import type { Report } from '../load/report.js';
import * as shapes from '../model/settings-schema.js';
import type { Attribute } from '../model/types.js';

const editorOptions = { panel: shapes.oneOf('main', 'side'), section: shapes.filledString };

/**
 * Where the editor shows an attribute: `pluginOptions: { editor: { panel: 'side', section: 'Shipping' } }`. In a
 * Strapi project mistakes are warnings: a plugin there could have the same name.
 */
export function linkEditor({ editor }: Attribute['pluginOptions'], warn: Report): Pick<Attribute, 'editor'> {
  const path = 'pluginOptions.editor';
  if (editor === undefined) return {};
  if (!isRecord(editor)) {
    warn(path, 'must be an object');
    return {};
  }
  refuseOthers(editor, Object.keys(editorOptions), `${path}.`, warn);
  return { editor: readOptions(editor, editorOptions, `${path}.`, warn) };
}
