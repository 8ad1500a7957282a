import lodash from 'lodash';
import type { PluginOrigin } from '../../../../app/load-registry.js';
import { installs, isFound } from '../../../../config/optional-package.js';
import { readVersion } from '../../../../config/version.js';
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
  /** Of the types of the project, and of those of plugins that have entries. */
  readonly storage: StorageDescription;
  /** The version of the service that made it; absent before 0.2. */
  readonly version?: string;
  /** The plugins that ran; absent before 0.2. */
  readonly plugins?: readonly PluginOrigin[];
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

/**
 * @param entries the number of those of each collection: types of plugins without any need nothing of whoever imports
 * @param unused attributes that no entry has, and that need nothing either, as `<uid>.<name>`
 */
export function makeManifest(
  registry: Registry,
  plugins: readonly PluginOrigin[],
  entries: ReadonlyMap<string, number>,
  snapshot: boolean,
  unused: ReadonlySet<string> = new Set(),
): Manifest {
  const ofPlugins = new Set(plugins.flatMap(({ contentTypes }) => contentTypes));
  const isNeeded = (uid: string): boolean =>
    !ofPlugins.has(uid) || (entries.get(registry.contentTypes.get(uid)?.collectionName ?? '') ?? 0) > 0;
  const storage = Object.entries(describeStorage(registry)).filter(([uid]) => isNeeded(uid));
  return {
    format: FORMAT,
    createdAt: new Date().toISOString(),
    version: readVersion(),
    plugins: plugins.filter((plugin) => plugin.package !== undefined || plugin.contentTypes.length > 0),
    snapshot,
    collections: Object.fromEntries(storedTypes(registry).map(({ uid, collectionName }) => [uid, collectionName])),
    storage: Object.fromEntries(
      storage.map(([uid, description]) => [
        uid,
        lodash.omitBy(withoutDefaults(description), (_, name) => unused.has(`${uid}.${name}`)),
      ]),
    ),
  };
}

/** Versions that do not know a way to store entries read archives that do not use it. */
const withoutDefaults = ({ [COPIES]: copies, ...description }: Description): Description =>
  copies === 'true' ? { ...description, [COPIES]: copies } : description;

const COPIES = 'working copies';

/** @throws StartError if the format is unknown */
export function parseManifest(text: string, file: string): Manifest {
  const manifest = JSON.parse(text) as Manifest;
  const { format } = manifest;
  if (format === FORMAT) return manifest;
  throw new StartError(
    `${file} has the format ${String(format)}; this version reads ${FORMAT}: import it with the version that wrote it`,
  );
}

/**
 * How the entries of each type, and the components in them, are stored, by uid: equal descriptions store the same in
 * the same way.
 */
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
    [COPIES]: String(schema.copies !== undefined),
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

/**
 * A line for each type of a project that is missing here, and for each attribute that is missing or stored differently.
 */
export function compareStorage(manifest: Manifest, registry: Registry): readonly string[] {
  const current = describeStorage(registry);
  return Object.entries(manifest.storage).flatMap(([uid, described]) => {
    const present = current[uid];
    if (present !== undefined) return compare(uid, described, present, 'export');
    return pluginOf(manifest, uid) === undefined ? [`${uid} is not defined in this project`] : [];
  });
}

/** A content type of a plugin that is missing here. */
export interface AbsentType {
  readonly uid: string;
  readonly collection: string;
  readonly plugin: Pick<PluginOrigin, 'name' | 'package'>;
}

/** The content types of plugins that are missing here. */
export const findAbsentTypes = (manifest: Manifest, { contentTypes }: Registry): readonly AbsentType[] =>
  Object.entries(manifest.collections).flatMap(([uid, collection]) => {
    const plugin = contentTypes.has(uid) ? undefined : pluginOf(manifest, uid);
    return plugin === undefined ? [] : [{ uid, collection, plugin }];
  });

/** What 0.1, whose archives do not name them, had in plugins that may be absent now. */
const formerOwners: Readonly<Record<string, AbsentType['plugin'] | undefined>> = {
  'admin::mcp-proposal': { name: 'mcp', package: '@content-service/mcp' },
  'admin::entry-version': { name: 'versions', package: '@content-service/versions' },
};

function pluginOf({ plugins }: Manifest, uid: string): AbsentType['plugin'] | undefined {
  if (plugins !== undefined) return plugins.find(({ contentTypes }) => contentTypes.includes(uid));
  return formerOwners[uid];
}

/** A line for each plugin of the archive that does not run here: it may be what is missing. */
export const hintAtPlugins = ({ plugins = [] }: Manifest, running: readonly PluginOrigin[]): readonly string[] =>
  plugins
    .filter(({ name }) => !running.some((plugin) => plugin.name === name))
    .map((plugin) => `It was made with the plugin ${plugin.name}, which does not run here: ${howToRun(plugin)}`);

/** What lets a plugin run, as an instruction. */
export function howToRun({ name, package: needed }: AbsentType['plugin']): string {
  const enable = `turn ${name} on in config/plugins`;
  return needed === undefined || isFound(needed) ? enable : `${installs(needed)}, and ${enable}`;
}
