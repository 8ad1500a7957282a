import path from 'node:path';
import lodash from 'lodash';
import type { ComponentDefinition, ContentTypeDefinition, Defined } from '../../content-types/model/definition.js';
import { isOfService } from '../../content-types/model/system-attributes.js';
import { pascalCase } from '../../content-types/model/type-name.js';
import type { ContentType, Registry } from '../../content-types/model/types.js';
import { uids } from '../../plugins/users-permissions/uids.js';
import { RELATED } from '../query-engine/related-files.js';
import type { Model, Models, Named } from '../strapi.js';

/** Content types and components as definitions, before linking. */
export interface RawDefinitions {
  readonly contentTypes: readonly Defined<ContentTypeDefinition>[];
  readonly components: readonly Defined<ComponentDefinition>[];
}

/** Namespace and owner of a uid: `api` and `course` of `api::course.course`, twice `admin` of `admin::user`. */
function partsOf(uid: string): { readonly namespace: string; readonly owner: string } {
  const [namespace = '', rest = ''] = uid.split('::');
  return { namespace, owner: rest.includes('.') ? (rest.split('.')[0] ?? '') : namespace };
}

function describeContentType({ uid, definition }: Defined<ContentTypeDefinition>): Model {
  const { kind = 'collectionType', info, options = {}, pluginOptions, attributes, collectionName } = definition;
  const { namespace, owner } = partsOf(uid);
  const isApi = namespace === 'api';
  const schema = {
    kind,
    collectionName: collectionName ?? '',
    info,
    options,
    ...(pluginOptions !== undefined && { pluginOptions }),
    attributes,
  };
  return {
    ...(definition as unknown as Named),
    ...schema,
    __schema__: schema,
    lifecycles: {},
    actions: {},
    uid,
    modelType: 'contentType',
    connection: 'default',
    modelName: info.singularName,
    globalId: pascalCase(isApi ? info.singularName : `${owner}-${info.singularName}`),
    ...(isApi ? { apiName: owner } : { plugin: owner }),
    // Not a copy: changes by `register` are linked.
    attributes: attributes as Named<Named>,
  };
}

function describeComponent({ uid, file, definition }: Defined<ComponentDefinition>): Model {
  const [category = '', modelName = ''] = uid.split('.');
  return {
    ...(definition as unknown as Named),
    __filename__: path.basename(file),
    __schema__: definition,
    uid,
    category,
    modelType: 'component',
    modelName,
    collectionName: definition.collectionName ?? '',
    globalId: pascalCase(`component-${category}-${modelName}`),
    info: definition.info ?? {},
    options: definition.options ?? {},
    attributes: definition.attributes as Named<Named>,
  };
}

/** The models of definitions. */
export const describeModels = ({ contentTypes, components }: RawDefinitions): Models => ({
  contentTypes: Object.fromEntries(contentTypes.map((type) => [type.uid, describeContentType(type)])),
  components: Object.fromEntries(components.map((component) => [component.uid, describeComponent(component)])),
});

/** The attributes of a definition: custom fields by their stored types, without those that only the service has. */
function describeAttributes({ uid, attributes }: Model, { attributes: linked }: ContentType): Named<Named> {
  const shown = lodash.omitBy(attributes, (attribute) => isOfService(attribute));
  const described = lodash.mapValues(shown, (attribute, name) => {
    const linkedAttribute = linked.get(name);
    const isCustom = attribute['type'] === 'customField' && linkedAttribute?.kind === 'scalar';
    return isCustom ? { ...attribute, type: linkedAttribute.type } : attribute;
  });
  if (uid === RELATED.uid)
    return { ...described, [RELATED.name]: { type: 'relation', relation: 'morphToMany', configurable: false } };
  if (uid !== uids.user) return described;
  // The service makes more of them unique than Strapi v4.
  return lodash.mapValues(described, (attribute, name) =>
    name === 'username' ? attribute : lodash.omit(attribute, 'unique'),
  );
}

const dateTime = { type: 'datetime' };
const ofLocales = { writable: true, private: false, configurable: false, visible: false };
const person = {
  type: 'relation',
  relation: 'oneToOne',
  target: 'admin::user',
  configurable: false,
  writable: false,
  visible: false,
  useJoinTable: false,
};

/** The attributes that Strapi v4 adds to a content type. */
export const systemAttributesOfModel = (type: ContentType, people: Named<Named>): Named<Named> => ({
  createdAt: { ...dateTime },
  updatedAt: { ...dateTime },
  ...(type.draftAndPublish && { publishedAt: { ...dateTime, configurable: false, writable: true, visible: false } }),
  ...people,
  ...(type.attributes.has('localizations') && {
    localizations: { ...ofLocales, type: 'relation', relation: 'oneToMany', target: type.uid },
    locale: { ...ofLocales, type: 'string' },
  }),
});

/**
 * Adds to content types what Strapi adds, when they are linked.
 * @param systemAttributes those of the project's version
 */
export function completeModels(
  { contentTypes }: Models,
  registry: Registry,
  systemAttributes: typeof systemAttributesOfModel,
): void {
  for (const model of Object.values(contentTypes)) {
    const type = registry.contentTypes.get(model.uid);
    if (type === undefined || model.uid === 'admin::user') continue;
    const hidden = { private: !type.populateCreatorFields };
    model.attributes = {
      ...describeAttributes(model, type),
      ...systemAttributes(type, { createdBy: { ...person, ...hidden }, updatedBy: { ...person, ...hidden } }),
    };
  }
}

/** Definitions with the private attributes that `responses.privateAttributes` of `config/api` names for all types. */
export function addPrivateAttributes<D extends RawDefinitions>(definitions: D, names: readonly string[]): D {
  if (names.length === 0) return definitions;
  return {
    ...definitions,
    contentTypes: definitions.contentTypes.map(({ definition, ...type }) => ({
      ...type,
      definition: {
        ...definition,
        options: {
          ...definition.options,
          privateAttributes: [...new Set([...(definition.options?.privateAttributes ?? []), ...names])],
        },
      },
    })),
    components: definitions.components.map(({ definition, ...component }) => ({
      ...component,
      definition: {
        ...definition,
        attributes: lodash.mapValues(definition.attributes, (attribute, name) =>
          names.includes(name) ? { ...attribute, private: true } : attribute,
        ),
      },
    })),
  };
}
