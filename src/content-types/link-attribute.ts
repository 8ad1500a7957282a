import { attributeOptions, isScalarType, scalarRules } from './attribute-rules.js';
import type { AttributeDefinition } from './definition.js';
import { linkComponent, linkZone } from './link-component.js';
import { linkMedia, linkRelation } from './link-relation.js';
import { linkScalar } from './link-scalar.js';
import type { Linkage, Linker } from './linkage.js';
import { unknownName } from './nearest-name.js';
import type { Outline } from './outline.js';
import { readOptions } from './read-options.js';
import type { Report } from './report.js';
import type { Attribute } from './types.js';

const linkCustomField: Linker = (declared, { customFields }) => {
  const { customField } = declared.options;
  const type =
    customField !== undefined && Object.hasOwn(customFields, customField) ? customFields[customField] : undefined;
  if (type !== undefined) return linkScalar(type, declared);
  declared.report('customField', unknownName(customField, 'known custom field', Object.keys(customFields)));
  return undefined;
};

/** The types of attributes that hold more than one plain value, or any. */
const linkers: ReadonlyMap<string, Linker> = new Map<string, Linker>([
  ['relation', linkRelation],
  ['media', linkMedia],
  ['component', linkComponent],
  ['dynamiczone', linkZone],
  ['customField', linkCustomField],
]);

/** Links one attribute of a content type or component, and reports its mistakes. */
export function linkAttribute(
  name: string,
  definition: AttributeDefinition,
  owner: Outline,
  linkage: Linkage,
): Attribute | undefined {
  const { type } = definition;
  const report: Report = (path, rule) => owner.report(`attributes.${name}.${path}`, rule);
  const options = readOptions(definition, attributeOptions, `attributes.${name}.`, owner.report);
  const base = {
    name,
    required: options.required ?? false,
    private: (options.private ?? false) || owner.privateAttributes.includes(name),
    writable: options.writable ?? true,
    pluginOptions: options.pluginOptions ?? {},
  };
  const declared = { owner, options, default: definition['default'], base, report };
  if (isScalarType(type)) return linkScalar(type, declared);
  const linker = linkers.get(type);
  if (linker !== undefined) return linker(declared, linkage);
  report('type', unknownName(type, 'attribute type', [...Object.keys(scalarRules), ...linkers.keys()]));
  return undefined;
}
