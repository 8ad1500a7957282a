import { asksForLocales } from '../../../content-types/model/localized.js';
import type { Attribute, Component, ContentType, Registry } from '../../../content-types/model/types.js';
import { describeAttribute, describeDefinition } from './describe-attribute.js';
import type { Item } from './source.js';

type Schema = Extract<Item, { kind: 'schema' }>;

/** What every type may have beside its own attributes. */
const given = new Set(['createdAt', 'updatedAt', 'publishedAt', 'createdBy', 'updatedBy', 'locale', 'localizations']);

/** Attributes of Strapi's own types that this service does without. */
const without: Readonly<Record<string, readonly string[]>> = {
  'plugin::upload.file': ['related', 'folder', 'folderPath'],
};

/** Types of Strapi itself belong to its admin panel and its plugins. */
const isOwners = (uid: string): boolean => !/^(?:admin|plugin|strapi)::/.test(uid);

/**
 * What a type or component of the source holds and this service does not, or holds otherwise: a line for each. What is
 * only here is no difference: it stays empty.
 */
export function compareSchema({ uid, component, definition }: Schema, registry: Registry): readonly string[] {
  const here: ContentType | Component | undefined = (component ? registry.components : registry.contentTypes).get(uid);
  if (here === undefined) {
    return isOwners(uid) ? [`${uid} is not a ${component ? 'component' : 'content type'} here`] : [];
  }
  if (uid.startsWith('admin::')) return [];
  const known = without[uid] ?? [];
  const attributes = Object.entries(definition.attributes)
    .filter(([name]) => !given.has(name) && !known.includes(name))
    .flatMap(([name, attribute]) => compareAttribute(describeDefinition(attribute), here.attributes.get(name), name));
  const frame = here.kind === 'component' ? [] : compareFrame(definition, here);
  return [...frame, ...attributes].map((difference) => `${uid} ${difference}`);
}

function compareAttribute(there: string, attribute: Attribute | undefined, name: string): readonly string[] {
  if (attribute === undefined) return [`${name} (${there}) is not an attribute here`];
  const here = describeAttribute(attribute);
  return here === there ? [] : [`${name} is ${there} there and ${here} here`];
}

function compareFrame(
  { kind = 'collectionType', options, pluginOptions = {} }: Schema['definition'],
  here: ContentType,
): readonly string[] {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['kind', kind, here.kind],
    ['draftAndPublish', options?.draftAndPublish ?? false, here.draftAndPublish],
    ['localized', asksForLocales(pluginOptions), asksForLocales(here.pluginOptions)],
  ];
  return pairs.flatMap(([name, there, ours]) =>
    there === ours ? [] : [`${name} is ${String(there)} there and ${String(ours)} here`],
  );
}
