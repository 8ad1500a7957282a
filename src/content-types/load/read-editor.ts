import { isRecord } from '../../config/record.js';
import type { ModelEditorOptions } from '../model/editor-options.js';
import { textByLanguage, type Schema } from '../model/settings-schema.js';
import { readOptions, refuseOthers, type Options } from './read-options.js';
import type { Report } from './report.js';

export const EDITOR_PATH = 'pluginOptions.editor';

/** The valid options of `pluginOptions.editor` that a table has; others are reported. */
export function readEditorOptions<S extends Readonly<Record<string, Schema<unknown>>>>(
  pluginOptions: Readonly<Record<string, unknown>>,
  table: S,
  report: Report,
): Options<S> | undefined {
  const { editor } = pluginOptions;
  if (editor === undefined) return undefined;
  if (!isRecord(editor)) {
    report(EDITOR_PATH, 'must be an object');
    return undefined;
  }
  refuseOthers(editor, Object.keys(table), `${EDITOR_PATH}.`, report);
  return readOptions(editor, table, `${EDITOR_PATH}.`, report);
}

/** What the editor calls a component, and says about it. */
export const componentTable = { label: textByLanguage, description: textByLanguage } as const satisfies Readonly<
  Partial<Record<keyof ModelEditorOptions, Schema<unknown>>>
>;
/** What it calls one entry of a content type and several, and says about them. */
export const typeTable = { ...componentTable, pluralLabel: textByLanguage } as const;
