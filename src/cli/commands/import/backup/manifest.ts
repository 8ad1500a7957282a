import { isLocalized } from '../../../../content-types/model/localized.js';
import type { Attribute, Component, ContentType, Registry } from '../../../../content-types/model/types.js';
import { isUnique } from '../../../../content-types/model/unique.js';
import { storedTypes } from '../../../../content-types/model/stored-types.js';
import { StartError } from '../../../../errors/start-error.js';
import { compare, describeAttribute, describeAttributes, type Description } from '../describe-attribute.js';

/** The first file in an archive of `npx content-service export`, which describes the others. */
export interface Manifest {
  readonly format: number;
  readonly createdAt: string;
  /** A consistent snapshot; otherwise each entry has its state at some time during the export. */
  readonly snapshot: boolean;
  /** The collection of each content type, by uid. */
  readonly collections: Readonly<Record<string, string>>;
  readonly storage: StorageDescription;
}

/** The names of files in an archive. */
export const names = {
  manifest: 'content-service.json',
  /** Below it a folder for each collection. */
  documents: 'documents/',
  files: 'files/',
} as const;

/** Internal collections that are exported too; counters come last, because they only grow. */
export const ownCollections = {
  importIds: '_import_ids',
  undo: '_undo',
  transactions: '_transactions',
  counters: '_counters',
} as const;

const FORMAT = 1;

export const makeManifest = (registry: Registry, snapshot: boolean): Manifest => ({
  format: FORMAT,
  createdAt: new Date().toISOString(),
  snapshot,
  collections: Object.fromEntries(storedTypes(registry).map(({ uid, collectionName }) => [uid, collectionName])),
  storage: describeStorage(registry),
});

/** @throws StartError if the format is unknown */
export function parseManifest(text: string, file: string): Manifest {
  const manifest = JSON.parse(text) as Manifest;
  const { format } = manifest;
  if (format === FORMAT) return manifest;
  throw new StartError(
    `${file} has the format ${String(format)}; this version reads ${FORMAT}: import it with the version that wrote it`,
  );
}

/** How the entries of each type, and the components in them, are stored, by uid: equal descriptions store the same in the same way. */
type StorageDescription = Readonly<Record<string, Description>>;

const describeStorage = ({ contentTypes, components }: Registry): StorageDescription =>
  Object.fromEntries([...contentTypes.values(), ...components.values()].map((model) => [model.uid, describe(model)]));

function describe(schema: ContentType | Component): Description {
  // Unique keys of components are stored separately.
  const describeUnique = (attribute: Attribute): string =>
    `${describeStored(attribute)}${isUnique(attribute) ? ', unique' : ''}`;
  if (schema.kind === 'component') return describeAttributes(schema, describeUnique);
  return {
    'the kind': schema.kind,
    'draft and publish': String(schema.draftAndPublish),
    'a value per locale': String(isLocalized(schema)),
    'working copies': String(schema.copies !== undefined),
    // Where there is no trash, what is in that of an export would be lost.
    ...(schema.trash !== undefined && { 'a trash': 'true' }),
    ...describeAttributes(schema, describeStored),
  };
}

function describeStored(attribute: Attribute): string {
  const described = describeAttribute(attribute);
  if (attribute.kind !== 'relation' || attribute.media) return described;
  const other = attribute.inverse === undefined ? '' : `, with ${attribute.inverse}`;
  return `${described}${other}, stored ${attribute.side === 'owner' ? 'here' : 'there'}`;
}

/** A line for each type of an archive that is missing here, and for each attribute that is missing or stored differently. */
export function compareStorage({ storage }: Manifest, registry: Registry): readonly string[] {
  const current = describeStorage(registry);
  return Object.entries(storage).flatMap(([uid, described]) => {
    const present = current[uid];
    return present === undefined
      ? [`${uid} is not defined in this project`]
      : compare(uid, described, present, 'export');
  });
}
