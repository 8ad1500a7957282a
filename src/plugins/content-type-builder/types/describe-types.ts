import { typeName } from '../../../content-types/model/type-name.js';
import type { Attribute, Component, ContentType, Registry } from '../../../content-types/model/types.js';
import { allowedComponents } from '../../../content-types/model/walk.js';
import { isKey } from '../../../query/parse/parse-key.js';
import { isReadable } from '../../../query/visibility.js';
import { scalarTypes } from './scalar-types.js';

type Model = ContentType | Component;

const HEAD = `// Made by \`content-service types\` from the content types: do not change it by hand.
`;

/**
 * The content types as TypeScript, for `createClient<ContentTypes>()`.
 * @param client the package of the client
 */
export function describeTypes(registry: Registry, client = 'content-service/client'): string {
  const ownTypes = [...registry.contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'));
  const models = reachable(ownTypes).map(describeModel);
  const listed = ownTypes.map((type) => `  ${nameOf(type)}: ${typeName(type)};\n`).join('');
  const body = `${models.join('\n')}\n/** By their names in the REST API. */\nexport interface ContentTypes {\n${listed}}\n`;
  const imported = [
    'Anything',
    'FileFormats',
    'Files',
    'Json',
    'Many',
    'One',
    'Part',
    'PartInput',
    'Parts',
    'RelationInput',
    'Zone',
  ];
  const used = imported.filter((name) => new RegExp(`: .*\\b${name}\\b`).test(body));
  return `${HEAD}import type { ${used.join(', ')} } from '${client}';\n\n${body}`;
}

function nameOf({ kind, singularName, pluralName }: ContentType): string {
  const name = kind === 'singleType' ? singularName : pluralName;
  return name.includes('-') ? `'${name}'` : name;
}

/** What clients come to from some types, these first. */
function reachable(from: readonly ContentType[]): readonly Model[] {
  const found = new Set<Model>(from);
  // Iterating a set includes what is added during the iteration.
  for (const item of found) {
    for (const attribute of item.attributes.values()) {
      if (!isReadable(attribute, 'client') && !(attribute.writable && isWritten(item))) continue;
      if (attribute.kind === 'relation' || attribute.kind === 'morphed') found.add(attribute.target);
      for (const component of allowedComponents(attribute)) found.add(component);
    }
  }
  return [...found];
}

/** Entries of plugins are written by the plugins' own routes. */
const isWritten = ({ kind, uid }: Model): boolean => kind === 'component' || uid.startsWith('api::');

const kinds = { collectionType: 'collection', singleType: 'single', component: 'component' } as const;

function describeModel(model: Model): string {
  const attributes = [...model.attributes.values()];
  const answered = attributes.filter((attribute) => isReadable(attribute, 'client'));
  const isFound = model.kind === 'collectionType' && isWritten(model);
  const keys = answered.filter((one) => isFound && isKey(one, 'client')).map(({ name }) => `'${name}'`);
  const wellKnownAttributes = wellKnown[model.uid];
  const writable = isWritten(model) ? attributes.filter((attribute) => attribute.writable) : [];
  const required = writable.filter(isDemanded).map(({ name }) => `'${name}'`);
  // The id of an existing component.
  const id = model.kind === 'component' ? ['id?: number'] : [];
  const drafts = model.kind !== 'component' && model.draftAndPublish;
  return `/** ${model.uid} */
export interface ${typeName(model)} {
  kind: '${kinds[model.kind]}';
  drafts: ${drafts};
  fields: {${members(answered.flatMap((attribute) => fieldOf(attribute, wellKnownAttributes?.[attribute.name])))}};
${isFound ? `  keys: ${keys.join(' | ') || 'never'};\n` : ''}  populate: {${members(answered.flatMap(populatedOf))}};
  input: {${members([...id, ...writable.map(inputOf)])}};
  required: ${required.join(' | ') || 'never'};
}
`;
}

const members = (lines: readonly string[]): string =>
  lines.map((line) => `\n    ${line};`).join('') + (lines.length > 0 ? '\n  ' : '');

const isDemanded = (attribute: Attribute): boolean =>
  attribute.required &&
  (attribute.kind === 'scalar'
    ? attribute.default === undefined && attribute.generatedFrom === undefined
    : attribute.kind === 'component' || attribute.kind === 'zone');

/** JSON of plugins whose form the client knows, by content type and attribute. */
const wellKnown: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'plugin::upload.file': { formats: 'FileFormats' },
};

function fieldOf(attribute: Attribute, type?: string): readonly string[] {
  if (attribute.kind !== 'scalar') return [];
  type ??= scalarTypes[attribute.type].answered(attribute);
  const isSystem = attribute.name === 'createdAt' || attribute.name === 'updatedAt';
  return [`${attribute.name}: ${type}${attribute.required || isSystem ? '' : ' | null'}`];
}

function populatedOf(attribute: Attribute): readonly string[] {
  const kind = populatedKind(attribute);
  return kind === undefined ? [] : [`${attribute.name}: ${kind}`];
}

function populatedKind(attribute: Attribute): string | undefined {
  switch (attribute.kind) {
    case 'scalar':
      return undefined;
    case 'relation':
      if (attribute.many && attribute.media) return `Files<${typeName(attribute.target)}>`;
      return `${attribute.many ? 'Many' : 'One'}<${typeName(attribute.target)}>`;
    case 'morphed':
      return `${attribute.many ? 'Many' : 'One'}<${typeName(attribute.target)}>`;
    case 'morph':
      return 'Anything';
    case 'component':
      return `${attribute.repeatable ? 'Parts' : 'Part'}<${typeName(attribute.component)}>`;
    case 'zone': {
      const components = [...attribute.components.values()].map(
        (component) => `'${component.uid}': ${typeName(component)}`,
      );
      return `Zone<{ ${components.join('; ')} }>`;
    }
    default:
      return attribute satisfies never;
  }
}

const inputOf = (attribute: Attribute): string => `${attribute.name}?: ${takenType(attribute)}`;

const partInput = (component: Component): string => `PartInput<${typeName(component)}>`;

function takenType(attribute: Attribute): string {
  switch (attribute.kind) {
    case 'scalar': {
      const { answered, input } = scalarTypes[attribute.type];
      return `${input ?? answered(attribute)}${attribute.required ? '' : ' | null'}`;
    }
    case 'relation':
    case 'morphed':
      return 'RelationInput';
    case 'morph':
      return 'Json';
    case 'component': {
      const partType = partInput(attribute.component);
      return attribute.repeatable ? `readonly ${partType}[]` : `${partType}${attribute.required ? '' : ' | null'}`;
    }
    case 'zone': {
      const components = [...attribute.components.values()].map(
        (component) => `({ __component: '${component.uid}' } & ${partInput(component)})`,
      );
      return `readonly (${components.join(' | ') || 'never'})[]`;
    }
    default:
      return attribute satisfies never;
  }
}
