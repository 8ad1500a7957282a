import { holdsComponents, isRecord, type Attribute, type Attributes, type Data } from 'content-service/plugin';

/** Never copied: they are of the original, or follow from what is written. */
const ofOriginal: ReadonlySet<string> = new Set([
  'localizations',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'createdBy',
  'updatedBy',
  'locale',
]);

/** The populate of a read that has all that a clone copies: ids of related entries, components whole. */
export const clonePopulate = (attributes: Attributes): Data =>
  Object.fromEntries(
    [...attributes.values()].flatMap((attribute) => {
      if (ofOriginal.has(attribute.name)) return [];
      const populate = populateOf(attribute);
      return populate === undefined ? [] : [[attribute.name, populate]];
    }),
  );

function populateOf(attribute: Attribute): unknown {
  switch (attribute.kind) {
    case 'relation':
      return { fields: ['id'] };
    case 'component':
      return { populate: clonePopulate(attribute.component.attributes) };
    case 'zone':
      return {
        on: Object.fromEntries(
          [...attribute.components].map(([uid, { attributes }]) => [uid, { populate: clonePopulate(attributes) }]),
        ),
      };
    case 'morph':
      return true;
    case 'morphed':
    case 'scalar':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

/** The data of a new entry like one that was read: components get ids of their own. */
export const clonedData = (entry: Data, attributes: Attributes): Data =>
  Object.fromEntries(
    Object.entries(entry).flatMap(([name, value]) => {
      const attribute = attributes.get(name);
      return attribute === undefined || ofOriginal.has(name) ? [] : [[name, clonedValue(value, attribute)]];
    }),
  );

function clonedValue(value: unknown, attribute: Attribute): unknown {
  if (Array.isArray(value) && attribute.kind !== 'scalar') return value.map((item) => clonedValue(item, attribute));
  if (!isRecord(value) || attribute.kind === 'scalar') return value;
  if (!holdsComponents(attribute)) {
    const { id, __type } = value;
    return attribute.kind === 'morph' ? { id, __type } : id;
  }
  const { __component } = value;
  const component = attribute.kind === 'zone' ? attribute.components.get(String(__component)) : attribute.component;
  const data = component === undefined ? {} : clonedData(value, component.attributes);
  return attribute.kind === 'zone' ? { __component, ...data } : data;
}
