import type { ComponentOutline, ContentTypeOutline, Outline } from '../load/outline.js';
import { asksForLocales } from '../model/localized.js';
import { generatedNames, localeNames, systemAttributes } from '../model/system-attributes.js';
import type { Model } from '../model/walk.js';

const ATTRIBUTE_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const COMPONENT_UID = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/** Also in components, which may have a `locale`, and in projects of Strapi v4, which does not start with it either. */
const always: ReadonlySet<string> = new Set(['id']);
const reserved: ReadonlySet<string> = new Set([...always, ...generatedNames]);

/**
 * Reports names that cannot be used, and names that are used twice.
 * @param lenient accepts names that Strapi v4 accepts: attributes that it replaces, and those of what the type does not
 * have
 */
export function checkNames(
  contentTypes: readonly ContentTypeOutline[],
  components: readonly ComponentOutline[],
  lenient: boolean,
): void {
  for (const outline of [...contentTypes, ...components]) checkAttributeNames(outline, lenient);
  for (const { schema, report } of components) {
    if (!COMPONENT_UID.test(schema.uid))
      report('uid', `"${schema.uid}" must be <category>.<name> of letters, digits, - and _`);
  }
  checkUnique([...contentTypes, ...components], ({ schema }) => [['uid', schema.uid, '']]);
  checkUnique(contentTypes, ({ schema }) => [['collectionName', schema.collectionName, '']]);
  checkUnique(contentTypes, ({ schema }) => [
    ['info.singularName', schema.singularName, namespace(schema)],
    ['info.pluralName', schema.pluralName, namespace(schema)],
  ]);
}

function checkAttributeNames({ schema, attributes, report }: Outline, lenient: boolean): void {
  const reservedNames = lenient || schema.kind === 'component' ? always : reserved;
  for (const name of attributes.keys()) {
    const path = `attributes.${name}`;
    if (!ATTRIBUTE_NAME.test(name)) report(path, 'must have a name of letters, digits and _ that begins with a letter');
    else if (reservedNames.has(name)) report(path, 'has a reserved name; choose another');
  }
}

/** The names of attributes that a content type gets, whatever its definition says of them. */
export const replacedNames = (schema: Model): ReadonlySet<string> =>
  schema.kind === 'component'
    ? new Set()
    : new Set([...Object.keys(systemAttributes(schema)), ...(asksForLocales(schema.pluginOptions) ? localeNames : [])]);

type Names = readonly (readonly [path: string, name: string, scope: string])[];

function checkUnique<O extends Outline>(outlines: readonly O[], namesOf: (outline: O) => Names): void {
  const owners = new Map<string, string>();
  for (const outline of outlines) {
    for (const [path, name, scope] of namesOf(outline)) {
      const owner = owners.get(`${scope} ${name}`);
      // Strapi v4 starts with a plugin's content type of which both names are the same.
      const isOwn = owner?.endsWith(` of ${outline.file}`) === true && outline.schema.uid.startsWith('plugin::');
      if (owner !== undefined) (isOwn ? outline.warn : outline.report)(path, `"${name}" is taken by ${owner}`);
      else if (name !== '') owners.set(`${scope} ${name}`, `${path} of ${outline.file}`);
    }
  }
}

/** Routes of plugins have prefixes of their own, so names clash only among `api::`, or within one plugin. */
function namespace({ uid }: Outline['schema']): string {
  return uid.startsWith('plugin::') ? uid.slice(0, uid.lastIndexOf('.')) : uid.slice(0, uid.indexOf('::'));
}
