import { isRecord, type Data } from '../../config/record.js';
import { attributeOptions } from '../link/attribute-rules.js';

/** The keys that the content-type builder sets, in Strapi v4's order. */
const keys = {
  frame: ['kind', 'collectionName', 'info', 'options', 'pluginOptions', 'attributes'],
  info: ['singularName', 'pluralName', 'displayName', 'description', 'icon'],
  options: ['draftAndPublish'],
  pluginOptions: ['i18n', 'editor'],
  attribute: ['type', 'default', ...Object.keys(attributeOptions).filter((name) => name !== 'pluginOptions')],
} as const;

/**
 * The content of a definition file after a change. Keys keep their order, and attributes have that of the change; those
 * that the builder does not set stay as they are in the file, and new ones are where Strapi v4 writes them.
 * @param before the content of the file; undefined for a new one
 */
export function mergeDefinition(before: Data | undefined, definition: Data): Data {
  const former = before ?? {};
  const merged = merge(former, definition, keys.frame);
  return replace(merged, {
    info: (info) => merge(recordOf(former['info']), info, keys.info),
    options: (options) => merge(recordOf(former['options']), options, keys.options),
    pluginOptions: (options) => merge(recordOf(former['pluginOptions']), options, keys.pluginOptions),
    attributes: (attributes) => mergeAttributes(recordOf(former['attributes']), attributes),
  });
}

/** All names of attributes are set by the builder, and their order. */
const mergeAttributes = (before: Data, attributes: Data): Data =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const former = Object.hasOwn(before, name) ? recordOf(before[name]) : {};
      if (!isRecord(attribute)) return [name, attribute];
      const merged = merge(former, attribute, keys.attribute);
      const pluginOptions = (options: Data): Data =>
        merge(recordOf(former['pluginOptions']), options, keys.pluginOptions);
      return [name, replace(merged, { pluginOptions })];
    }),
  );

const recordOf = (value: unknown): Data => (isRecord(value) ? value : {});

const replace = (data: Data, replacements: Readonly<Record<string, (value: Data) => Data>>): Data =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const change = Object.hasOwn(replacements, name) ? replacements[name] : undefined;
      return [name, change !== undefined && isRecord(value) ? change(value) : value];
    }),
  );

/** @param known the keys that `after` decides about, in the order for new ones */
function merge(before: Data, after: Data, known: readonly string[]): Data {
  const kept = Object.keys(before).filter((name) => Object.hasOwn(after, name) || !known.includes(name));
  const names = [...kept];
  for (const name of Object.keys(after).filter((key) => !Object.hasOwn(before, key))) {
    const rank = known.indexOf(name);
    const next = rank < 0 ? -1 : names.findIndex((other) => known.indexOf(other) > rank);
    names.splice(next < 0 ? names.length : next, 0, name);
  }
  return Object.fromEntries(names.map((name) => [name, Object.hasOwn(after, name) ? after[name] : before[name]]));
}
