import { isRecord, type Data } from '../config/record.js';
import type { Attribute, Attributes, RelationAttribute } from '../content-types/model/types.js';
import { holdsComponents, mapComponents } from '../content-types/model/walk.js';

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

/** The populate of a read that has all that a copy needs: ids of related entries, components whole. */
export const copyPopulate = (attributes: Attributes): Data =>
  Object.fromEntries(
    [...attributes.values()].flatMap((attribute) => {
      if (ofOriginal.has(attribute.name)) return [];
      const populate = populateOf(attribute);
      return populate === undefined ? [] : [[attribute.name, populate]];
    }),
  );

/** Whether what it leads to can have one such entry only: the original keeps it. */
const takesFromOriginal = ({ relation, side, inverse }: RelationAttribute): boolean =>
  relation.startsWith('oneTo') && (side === 'inverse' || inverse !== undefined);

function populateOf(attribute: Attribute): unknown {
  switch (attribute.kind) {
    case 'relation':
      return takesFromOriginal(attribute) ? undefined : { fields: ['id'] };
    case 'component':
      return { populate: copyPopulate(attribute.component.attributes) };
    case 'zone':
      return {
        on: Object.fromEntries(
          [...attribute.components].map(([uid, { attributes }]) => [uid, { populate: copyPopulate(attributes) }]),
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
export const copiedData = (entry: Data, attributes: Attributes): Data =>
  Object.fromEntries(
    Object.entries(entry).flatMap(([name, value]) => {
      const attribute = attributes.get(name);
      return attribute === undefined || ofOriginal.has(name) ? [] : [[name, copiedValue(value, attribute)]];
    }),
  );

function copiedValue(value: unknown, attribute: Attribute): unknown {
  if (attribute.kind === 'scalar') return value;
  if (holdsComponents(attribute))
    return mapComponents(value, attribute, (data, { attributes }) => {
      const { __component } = data;
      return { ...(attribute.kind === 'zone' && { __component }), ...copiedData(data, attributes) };
    });
  const linkTo = (entry: unknown): unknown => {
    if (!isRecord(entry)) return entry;
    const { id, __type } = entry;
    return attribute.kind === 'morph' ? { id, __type } : id;
  };
  return Array.isArray(value) ? value.map(linkTo) : linkTo(value);
}
