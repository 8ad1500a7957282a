import { defined, type Data } from '../../config/record.js';
import { generatedNames } from '../../content-types/model/system-attributes.js';
import { isOwnType } from '../../documents/listings.js';
import type { Attribute, Attributes, Component, ContentType } from '../../content-types/model/types.js';

/** A content type as Strapi v4 describes it. Source: its content-type-builder plugin. */
export function describeContentType(type: ContentType): Data {
  const { uid, singularName, pluralName, displayName, description = '' } = type;
  const { kind, collectionName, draftAndPublish, pluginOptions } = type;
  const plugin = /^plugin::([^.]+)\./.exec(uid)?.[1];
  return {
    uid,
    ...(plugin !== undefined && { plugin }),
    apiID: singularName,
    schema: {
      draftAndPublish,
      displayName,
      singularName,
      pluralName,
      description,
      pluginOptions,
      kind,
      collectionName,
      attributes: describeAttributes(type.attributes),
      visible: isOwnType(type),
      restrictRelationsTo: null,
    },
  };
}

/** A component as Strapi v4 describes it. */
export function describeComponent({ uid, displayName, description = '', attributes }: Component): Data {
  const [category = '', name = ''] = uid.split('.');
  const schema = { displayName, description, attributes: describeAttributes(attributes) };
  return { uid, category, apiId: name, schema };
}

const describeAttributes = (attributes: Attributes): Data =>
  Object.fromEntries(
    [...attributes.values()]
      .filter(({ name }) => !generatedNames.has(name))
      .map((attribute) => [attribute.name, describeAttribute(attribute)]),
  );

function describeAttribute(attribute: Attribute): Data {
  const { required, pluginOptions } = attribute;
  const base = {
    ...(required && { required }),
    ...(attribute.private && { private: true }),
    ...(Object.keys(pluginOptions).length > 0 && { pluginOptions }),
  };
  switch (attribute.kind) {
    case 'scalar': {
      const { type, unique, min, max, minLength, maxLength, regex, enum: values, targetField } = attribute;
      const rules = { min, max, minLength, maxLength, regex: regex?.source, enum: values, targetField };
      return {
        type,
        ...base,
        ...(unique && { unique }),
        ...defined({ ...rules, default: attribute.default }),
      };
    }
    case 'relation': {
      const { relation, target, inverse, side, media, many: isList, allowedTypes } = attribute;
      if (media)
        return { type: 'media', multiple: isList, required, ...base, private: attribute.private, allowedTypes };
      const other = inverse === undefined ? {} : { [side === 'owner' ? 'inversedBy' : 'mappedBy']: inverse };
      return describeRelation(attribute, base, { relation, target: target.uid, ...other }, inverse);
    }
    case 'morph':
      return describeRelation(attribute, base, { relation: attribute.many ? 'morphToMany' : 'morphToOne' });
    case 'morphed': {
      const { many: isList, target, morphBy } = attribute;
      return describeRelation(attribute, base, {
        relation: isList ? 'morphMany' : 'morphOne',
        target: target.uid,
        morphBy,
      });
    }
    case 'component': {
      const { repeatable, component, min, max } = attribute;
      return { type: 'component', ...base, repeatable, component: component.uid, ...defined({ min, max }) };
    }
    case 'zone': {
      const { components, min, max } = attribute;
      return { type: 'dynamiczone', ...base, components: [...components.keys()], ...defined({ min, max }) };
    }
    default:
      return attribute satisfies never;
  }
}

const describeRelation = (attribute: Attribute, base: Data, relation: Data, targetAttribute?: string): Data => ({
  type: 'relation',
  ...base,
  ...relation,
  targetAttribute: targetAttribute ?? null,
  private: attribute.private,
});
