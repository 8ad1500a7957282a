import { isLocalized } from '../../../../content-types/model/localized.js';
import type { Attribute, Component, ContentType, Registry } from '../../../../content-types/model/types.js';
import { isUnique } from '../../../../content-types/model/unique.js';
import { describeAttribute } from '../describe-attribute.js';

/** How the entries of a type, or a component in them, are stored: equal descriptions store the same in the same way. */
export type StorageDescription = Readonly<Record<string, string>>;

/** Every content type and component, by uid. */
export const describeStorage = ({ contentTypes, components }: Registry): Readonly<Record<string, StorageDescription>> =>
  Object.fromEntries([...contentTypes.values(), ...components.values()].map((model) => [model.uid, describe(model)]));

function describe(schema: ContentType | Component): StorageDescription {
  const within = schema.kind === 'component';
  const attributes = [...schema.attributes.values()].map(
    (attribute) => [attribute.name, describeStored(attribute, within)] as const,
  );
  return { ...(within ? {} : frame(schema)), ...Object.fromEntries(attributes) };
}

const frame = (type: ContentType): StorageDescription => ({
  'the kind': type.kind,
  'draft and publish': String(type.draftAndPublish),
  'a value per locale': String(isLocalized(type)),
});

function describeStored(attribute: Attribute, withinComponent: boolean): string {
  const stored = describeAttribute(attribute);
  if (attribute.kind === 'relation' && !attribute.media) {
    const other = attribute.inverse === undefined ? '' : `, with ${attribute.inverse}`;
    return `${stored}${other}, stored ${attribute.side === 'owner' ? 'here' : 'there'}`;
  }
  // Unique keys of components are stored separately.
  return withinComponent && isUnique(attribute) ? `${stored}, unique` : stored;
}

/** A line for each attribute that is missing here or stored differently. Attributes that are only here stay empty. */
export function compareStorage(
  archived: Readonly<Record<string, StorageDescription>>,
  current: Readonly<Record<string, StorageDescription>>,
): readonly string[] {
  return Object.entries(archived).flatMap(([uid, described]) => {
    const currentSchema = current[uid];
    if (currentSchema === undefined) return [`${uid} is not defined in this project`];
    return Object.entries(described).flatMap(([name, storage]) => {
      if (currentSchema[name] === undefined) return [`${uid} ${name} (${storage}) is not an attribute in this project`];
      return currentSchema[name] === storage
        ? []
        : [`${uid} ${name} is ${storage} in the export and ${currentSchema[name]} in this project`];
    });
  });
}
