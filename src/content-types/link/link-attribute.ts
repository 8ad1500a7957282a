import lodash from 'lodash';
import { isAbsent } from '../../config/record.js';
import { attributeTypes, isScalarType } from '../model/attribute-types.js';
import { attributeOptions } from './attribute-rules.js';
import type { AttributeDefinition } from '../model/definition.js';
import { linkEditor } from './link-editor.js';
import { linkMedia, linkRelation } from './link-relation.js';
import { limitsOf, linkScalar } from './link-scalar.js';
import type { Linkage, Linker, DeclaredAttribute } from './linkage.js';
import { wrongName } from '../../errors/nearest-name.js';
import type { Outline } from '../load/outline.js';
import { readOptions } from '../load/read-options.js';
import type { Report } from '../load/report.js';
import type { Attribute, Component, ComponentAttribute, ZoneAttribute } from '../model/types.js';
import { count } from '../model/settings-schema.js';

/** Links an attribute that embeds one component, or a list of it. */
const linkComponent: Linker<ComponentAttribute> = (declared, linkage) => {
  const { base, options } = declared;
  const component = findComponent('component', options.component, declared, linkage);
  const limits = limitsOf(count, declared);
  if (component === undefined) return undefined;
  return { ...base, kind: 'component', component, repeatable: options.repeatable ?? false, ...limits };
};

const linkZone: Linker<ZoneAttribute> = (declared, linkage) => {
  const { base, options, report } = declared;
  if (options.components === undefined) report('components', 'must be a list of component uids');
  const allowed = (options.components ?? []).map((uid, index) =>
    findComponent(`components[${index}]`, uid, declared, linkage),
  );
  const components = new Map(allowed.flatMap((component) => (component ? [[component.uid, component] as const] : [])));
  return { ...base, kind: 'zone', components, ...limitsOf(count, declared) };
};

function findComponent(
  path: string,
  uid: string | undefined,
  { report }: DeclaredAttribute,
  { components }: Linkage,
): Component | undefined {
  const component = uid === undefined ? undefined : components.get(uid);
  if (component === undefined) report(path, wrongName(uid, 'component', components.keys()));
  return component;
}

const linkCustomField: Linker = (declared, linkage) => {
  const { customFields, lenient } = linkage;
  const { customField } = declared.options;
  const type =
    customField !== undefined && Object.hasOwn(customFields, customField) ? customFields[customField] : undefined;
  if (type !== undefined) return linkScalar(type, declared, linkage);
  if (lenient && customField !== undefined) {
    declared.warn('customField', `unknown custom field "${customField}": served as json, which accepts any value`);
    return linkScalar('json', declared, linkage);
  }
  declared.report('customField', wrongName(customField, 'custom field', Object.keys(customFields)));
  return undefined;
};

/** The types of attributes without a single plain value. */
const linkers: ReadonlyMap<string, Linker> = new Map<string, Linker>([
  ['relation', linkRelation],
  ['media', linkMedia],
  ['component', linkComponent],
  ['dynamiczone', linkZone],
  ['customField', linkCustomField],
]);

/** What Strapi v4 takes for true if JavaScript does; others, such as `private`, it compares with true. */
const flags = ['required', 'unique'] as const;

/** A definition of a Strapi project, such as one with `"required": "true"`, as Strapi reads it. */
function withFlags(definition: AttributeDefinition, warn: Report): AttributeDefinition {
  const values = Object.entries(lodash.pick(definition, flags)).filter(
    ([, value]) => !isAbsent(value) && typeof value !== 'boolean',
  );
  for (const [flag, value] of values)
    warn(flag, `${JSON.stringify(value)} counts as ${Boolean(value)}, as in Strapi v4`);
  return { ...definition, ...Object.fromEntries(values.map(([flag, value]) => [flag, Boolean(value)])) };
}

/** Links one attribute of a content type or component, and reports its mistakes. */
export function linkAttribute(
  name: string,
  definition: AttributeDefinition,
  owner: Outline,
  linkage: Linkage,
): Attribute | undefined {
  const { type } = definition;
  const report: Report = (path, rule) => owner.report(`attributes.${name}.${path}`, rule);
  const warn: Report = (path, rule) => owner.warn(`attributes.${name}.${path}`, rule);
  const read = linkage.lenient ? withFlags(definition, warn) : definition;
  const options = readOptions(read, attributeOptions, `attributes.${name}.`, owner.report);
  const base = {
    name,
    required: options.required ?? false,
    private: (options.private ?? false) || owner.privateAttributes.includes(name),
    writable: options.writable ?? true,
    pluginOptions: options.pluginOptions ?? {},
    ...(options.visible === false && { isHidden: true as const }),
    ...linkEditor(name, definition, owner, warn),
  };
  const declared = { owner, options, default: definition['default'], base, report, warn };
  if (isScalarType(type)) return linkScalar(type, declared, linkage);
  const linker = linkers.get(type);
  if (linker !== undefined) return linker(declared, linkage);
  report('type', wrongName(type, 'attribute type', [...Object.keys(attributeTypes), ...linkers.keys()]));
  return undefined;
}
