import { isLocalized } from '../../../../content-types/model/localized.js';
import type { Attribute, Component, ContentType, Registry } from '../../../../content-types/model/types.js';
import { isUnique } from '../../../../content-types/model/unique.js';
import { compareDescriptions, describeAttribute, describeAttributes, type Description } from '../describe-attribute.js';

/** How the entries of each type, and the components in them, are stored, by uid: equal descriptions store the same in the same way. */
export type StorageDescription = Readonly<Record<string, Description>>;

export const describeStorage = ({ contentTypes, components }: Registry): StorageDescription =>
  Object.fromEntries([...contentTypes.values(), ...components.values()].map((model) => [model.uid, describe(model)]));

function describe(schema: ContentType | Component): Description {
  if (schema.kind !== 'component') return { ...frame(schema), ...describeAttributes(schema, describeStored) };
  // Unique keys of components are stored separately.
  return describeAttributes(
    schema,
    (attribute) => `${describeStored(attribute)}${isUnique(attribute) ? ', unique' : ''}`,
  );
}

const frame = (type: ContentType): Description => ({
  'the kind': type.kind,
  'draft and publish': String(type.draftAndPublish),
  'a value per locale': String(isLocalized(type)),
});

function describeStored(attribute: Attribute): string {
  const described = describeAttribute(attribute);
  if (attribute.kind !== 'relation' || attribute.media) return described;
  const other = attribute.inverse === undefined ? '' : `, with ${attribute.inverse}`;
  return `${described}${other}, stored ${attribute.side === 'owner' ? 'here' : 'there'}`;
}

/** A line for each type that is missing here, and for each attribute that is missing or stored differently. */
export const compareStorage = (archived: StorageDescription, current: StorageDescription): readonly string[] =>
  Object.entries(archived).flatMap(([uid, described]) => {
    const present = current[uid];
    return present === undefined
      ? [`${uid} is not defined in this project`]
      : compareDescriptions(uid, described, present, 'export');
  });
