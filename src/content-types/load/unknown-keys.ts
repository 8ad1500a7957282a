import { isRecord } from '../../config/record.js';
import { attributeOptions } from '../link/attribute-rules.js';
import type { AttributeDefinition, LoadedDefinitions } from '../model/definition.js';
import { nearestName } from '../../errors/nearest-name.js';
import { ownOptions, strapiOptions } from './outline.js';
import { reportTo, type Report } from './report.js';

/**
 * Keys that have a meaning here or in Strapi v4, or that its content-type builder writes, by their place. Strapi
 * accepts any other key.
 */
const ignoredOptions = ['comment', 'timestamps', 'increments', 'reviewWorkflows'];
const strapiColumns = [
  'options',
  'column',
  'joinTable',
  'joinColumn',
  'useJoinTable',
  'autoPopulate',
  'index',
  'conditions',
  // Of the builder.
  'displayName',
];
const usedKeys = {
  frame: ['$schema', 'kind', 'collectionName', 'info', 'options', 'pluginOptions', 'attributes', 'config', 'uid'],
  info: ['singularName', 'pluralName', 'displayName', 'description', 'icon', 'name'],
  options: [...Object.keys(strapiOptions), ...Object.keys(ownOptions), ...ignoredOptions],
  i18n: ['localized'],
  attribute: ['type', 'default', ...Object.keys(attributeOptions), ...strapiColumns],
};

/**
 * A line for each unused key in definitions: file, line, and the closest name. Unused keys are accepted, as in Strapi
 * v4, but most are misspelt.
 */
export function findUnknownKeys({ contentTypes, components, extensions }: LoadedDefinitions): readonly string[] {
  const lines: string[] = [];
  for (const { file, text, definition } of [...contentTypes, ...components, ...extensions]) {
    const report = reportTo(lines, file, text);
    look({ ...definition }, usedKeys.frame, '', report);
    look(definition.info, usedKeys.info, 'info.', report);
    look(definition.options, usedKeys.options, 'options.', report);
    look(ofI18n(definition), usedKeys.i18n, `${I18N}.`, report);
    const attributes: Readonly<Record<string, AttributeDefinition>> = isRecord(definition.attributes)
      ? definition.attributes
      : {};
    for (const [name, attribute] of Object.entries(attributes)) {
      look(attribute, usedKeys.attribute, `attributes.${name}.`, report);
      look(ofI18n(attribute), usedKeys.i18n, `attributes.${name}.${I18N}.`, report);
    }
  }
  return lines;
}

const I18N = 'pluginOptions.i18n';

/** Of other plugins the options are their own. */
const ofI18n = (definition: object): unknown => {
  const { pluginOptions } = definition as { readonly pluginOptions?: unknown };
  return isRecord(pluginOptions) ? pluginOptions['i18n'] : undefined;
};

function look(value: unknown, names: readonly string[], path: string, report: Report): void {
  if (!isRecord(value)) return;
  for (const key of Object.keys(value)) {
    if (names.includes(key)) continue;
    const nearest = nearestName(key, names);
    report(path + key, `is unknown and has no effect${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`);
  }
}
