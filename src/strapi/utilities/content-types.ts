import lodash from 'lodash';
import type { Model, Named } from '../strapi.js';

const timestamps = ['createdAt', 'updatedAt'];
const notScalar = new Set(['media', 'component', 'relation', 'dynamiczone']);

const namesWhere = (model: Model, holds: (attribute: Named) => boolean): string[] =>
  Object.entries(model.attributes).flatMap(([name, attribute]) => (holds(attribute) ? [name] : []));
const getTimestamps = (model: Model): string[] => timestamps.filter((name) => Object.hasOwn(model.attributes, name));
const onlyId: ReadonlySet<string> = new Set(['id']);
const fixed = (model: Model, option: string, ids = onlyId): string[] =>
  lodash.uniq([...ids, ...getTimestamps(model), ...namesWhere(model, (attribute) => attribute[option] === false)]);
const without = (model: Model, names: readonly string[]): string[] =>
  lodash.difference(Object.keys(model.attributes), names);

/** Names of attributes that clients cannot set. */
export const getNonWritableAttributes = (model: Model): string[] => fixed(model, 'writable');

const getPrivateAttributes = (model: Model): string[] =>
  lodash.uniq([
    ...((model.options['privateAttributes'] as readonly string[] | undefined) ?? []),
    ...namesWhere(model, (attribute) => Boolean(attribute['private'])),
  ]);
const isOfType =
  (...types: readonly string[]) =>
  (attribute: Named | undefined): boolean =>
    types.includes(String(attribute?.['type']));

const isSingleType = ({ kind }: Model): boolean => kind === 'singleType';

/** What does not depend on the version. */
export const contentTypes = {
  isKind:
    (kind: string) =>
    (model: Model): boolean =>
      model.kind === kind,
  getOptions: ({ options }: Model): Named => ({ draftAndPublish: false, ...options }),
  getContentTypeRoutePrefix: (model: Model): string =>
    lodash.kebabCase(model.info[isSingleType(model) ? 'singularName' : 'pluralName'] as string | undefined),
  getCreatorFields: ({ attributes }: Model): string[] =>
    ['createdBy', 'updatedBy'].filter((name) => Object.hasOwn(attributes, name)),
  getComponentAttributes: (model: Model): string[] =>
    namesWhere(model, ({ type }) => type === 'component' || type === 'dynamiczone'),
  isMorphToRelationalAttribute: (attribute: Named | undefined): boolean =>
    attribute?.['type'] === 'relation' && String(attribute['relation']).startsWith('morphTo'),
  isSingleType,
  isCollectionType: ({ kind = 'collectionType' }: Model): boolean => kind === 'collectionType',
  hasDraftAndPublish: ({ options }: Model): boolean => options['draftAndPublish'] === true,
  isDraft: (data: Named, model: Model | undefined): boolean =>
    model?.options['draftAndPublish'] === true && data['publishedAt'] === null,
  getTimestamps,
  getWritableAttributes: (model: Model): string[] => without(model, getNonWritableAttributes(model)),
  isWritableAttribute: (model: Model, name: string): boolean =>
    without(model, getNonWritableAttributes(model)).includes(name),
  getVisibleAttributes: (model: Model): string[] => without(model, fixed(model, 'visible')),
  isVisibleAttribute: (model: Model, name: string): boolean => without(model, fixed(model, 'visible')).includes(name),
  getPrivateAttributes,
  isPrivateAttribute: (model: Model, name: string): boolean => getPrivateAttributes(model).includes(name),
  getScalarAttributes: (model: Model): string[] =>
    namesWhere(model, (attribute) => !notScalar.has(String(attribute['type']))),
  isScalarAttribute: (attribute: Named | undefined): boolean => !notScalar.has(String(attribute?.['type'])),
  isMediaAttribute: isOfType('media'),
  isRelationalAttribute: isOfType('relation'),
  isComponentAttribute: isOfType('component', 'dynamiczone'),
  isDynamicZoneAttribute: isOfType('dynamiczone'),
  isTypedAttribute: (attribute: Named | undefined, type: string): boolean => attribute?.['type'] === type,
  constants: {
    ID_ATTRIBUTE: 'id',
    PUBLISHED_AT_ATTRIBUTE: 'publishedAt',
    CREATED_AT_ATTRIBUTE: 'createdAt',
    UPDATED_AT_ATTRIBUTE: 'updatedAt',
    CREATED_BY_ATTRIBUTE: 'createdBy',
    UPDATED_BY_ATTRIBUTE: 'updatedBy',
    DP_PUB_STATES: ['live', 'preview'],
    DP_PUB_STATE_LIVE: 'live',
    DP_PUB_STATE_PREVIEW: 'preview',
    SINGLE_TYPE: 'singleType',
    COLLECTION_TYPE: 'collectionType',
  },
};

/** The `contentTypes` of `@strapi/utils`. @param ids the names of ids, which are no attributes */
export const createContentTypes = (ids: ReadonlySet<string> = onlyId) => ({
  ...contentTypes,
  getNonWritableAttributes: (model: Model): string[] => fixed(model, 'writable', ids),
  getNonVisibleAttributes: (model: Model): string[] => fixed(model, 'visible', ids),
});

const isRelation =
  (...kinds: readonly string[]) =>
  (attribute: Named | undefined): boolean =>
    attribute?.['type'] === 'relation' && kinds.includes(String(attribute['relation']));

/** The `relations` of `@strapi/utils`. */
export const relations = {
  getRelationalFields: (model: Model): string[] => namesWhere(model, ({ type }) => type === 'relation'),
  isOneToAny: isRelation('oneToOne', 'oneToMany'),
  isManyToAny: isRelation('manyToMany', 'manyToOne'),
  isAnyToOne: isRelation('oneToOne', 'manyToOne'),
  isAnyToMany: isRelation('oneToMany', 'manyToMany'),
  constants: { MANY_RELATIONS: ['oneToMany', 'manyToMany'] },
};

/** `setCreatorFields` of `@strapi/utils`: data with the user who creates or edits. */
export const setCreatorFields =
  ({ user, isEdition = false }: { readonly user: Named; readonly isEdition?: boolean }) =>
  (data: Named): Named => ({
    ...data,
    ...(!isEdition && { createdBy: user['id'] as unknown }),
    updatedBy: user['id'] as unknown,
  });
