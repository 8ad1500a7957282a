import { asksForLocales } from '../../../content-types/model/localized.js';
import { generatedNames } from '../../../content-types/model/system-attributes.js';
import type { Attribute, Component, ContentType, Registry } from '../../../content-types/model/types.js';
import { describeAttribute, describeDefinition } from './describe-attribute.js';
import type { Item } from './source.js';

type Schema = Extract<Item, { kind: 'schema' }>;

/** Attributes of Strapi's own types that this service does without. */
const without: Readonly<Record<string, readonly string[]>> = {
  'plugin::upload.file': ['related'],
};

/** Types of Strapi itself belong to its admin panel and its plugins. */
const isOwners = (uid: string): boolean => !/^(?:admin|plugin|strapi)::/.test(uid);

/**
 * Compares a type or component of the source with this project: a line for each missing or different attribute.
 * Attributes that exist only in this project stay empty.
 */
export function compareSchema({ uid, component, definition }: Schema, registry: Registry): readonly string[] {
  const current: ContentType | Component | undefined = (component ? registry.components : registry.contentTypes).get(
    uid,
  );
  if (current === undefined) {
    return isOwners(uid) ? [`${uid} is not a ${component ? 'component' : 'content type'} in this project`] : [];
  }
  if (uid.startsWith('admin::')) return [];
  const absent = without[uid] ?? [];
  const attributes = Object.entries(definition.attributes)
    .filter(([name]) => !generatedNames.has(name) && !absent.includes(name))
    .flatMap(([name, attribute]) =>
      compareAttribute(describeDefinition(attribute), current.attributes.get(name), name),
    );
  const frame = current.kind === 'component' ? [] : compareFrame(definition, current);
  return [...frame, ...attributes].map((difference) => `${uid} ${difference}`);
}

function compareAttribute(archived: string, attribute: Attribute | undefined, name: string): readonly string[] {
  if (attribute === undefined) return [`${name} (${archived}) is not an attribute in this project`];
  const current = describeAttribute(attribute);
  return current === archived ? [] : [`${name} is ${archived} in the source and ${current} in this project`];
}

function compareFrame(
  { kind = 'collectionType', options, pluginOptions = {} }: Schema['definition'],
  current: ContentType,
): readonly string[] {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['kind', kind, current.kind],
    ['draftAndPublish', options?.draftAndPublish ?? false, current.draftAndPublish],
    ['localized', asksForLocales(pluginOptions), asksForLocales(current.pluginOptions)],
  ];
  return pairs.flatMap(([name, archived, currentSide]) =>
    archived === currentSide
      ? []
      : [`${name} is ${String(archived)} in the source and ${String(currentSide)} in this project`],
  );
}
