import { generatedNames } from '../../content-types/model/system-attributes.js';
import type { Attribute, Attributes, Component, ContentType } from '../../content-types/model/types.js';

type Description = Readonly<Record<string, unknown>>;

/** A content type as Strapi v4 describes it. Source: its content-type-builder plugin. */
export function describeContentType(type: ContentType): Description {
  const { uid, singularName, pluralName, displayName, kind, collectionName, draftAndPublish, pluginOptions } = type;
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
      description: '',
      pluginOptions,
      kind,
      collectionName,
      attributes: describeAttributes(type.attributes),
      visible: uid.startsWith('api::'),
      restrictRelationsTo: null,
    },
  };
}

/** A component as Strapi v4 describes it. */
export function describeComponent({ uid, displayName, attributes }: Component): Description {
  const [category = '', name = ''] = uid.split('.');
  const schema = { displayName, description: '', attributes: describeAttributes(attributes) };
  return { uid, category, apiId: name, schema };
}

const describeAttributes = (attributes: Attributes): Description =>
  Object.fromEntries(
    [...attributes.values()]
      .filter(({ name }) => !generatedNames.has(name))
      .map((attribute) => [attribute.name, describeAttribute(attribute)]),
  );

function describeAttribute(attribute: Attribute): Description {
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
        ...present(rules),
        ...present({ default: attribute.default }),
      };
    }
    case 'relation': {
      const { relation, target, inverse, side, media, many: isList, allowedTypes } = attribute;
      if (media)
        return { type: 'media', multiple: isList, required, ...base, private: attribute.private, allowedTypes };
      const other = inverse === undefined ? {} : { [side === 'owner' ? 'inversedBy' : 'mappedBy']: inverse };
      const led = { relation, target: target.uid, ...other, targetAttribute: inverse ?? null };
      return { type: 'relation', ...base, ...led, private: attribute.private };
    }
    case 'morph':
      return relation(attribute, base, { relation: attribute.many ? 'morphToMany' : 'morphToOne' });
    case 'morphed': {
      const { many: isList, target, morphBy } = attribute;
      return relation(attribute, base, { relation: isList ? 'morphMany' : 'morphOne', target: target.uid, morphBy });
    }
    case 'component': {
      const { repeatable, component, min, max } = attribute;
      return { type: 'component', ...base, repeatable, component: component.uid, ...present({ min, max }) };
    }
    case 'zone': {
      const { components, min, max } = attribute;
      return { type: 'dynamiczone', ...base, components: [...components.keys()], ...present({ min, max }) };
    }
    default:
      return attribute satisfies never;
  }
}

const relation = (attribute: Attribute, base: Description, led: Description): Description => ({
  type: 'relation',
  ...base,
  ...led,
  targetAttribute: null,
  private: attribute.private,
});

/** Without undefined values. */
const present = (options: Description): Description =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
