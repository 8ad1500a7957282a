import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isRecord, type Data } from '../../config/record.js';
import { isStrapiProject } from '../../config/project/is-strapi-project.js';
import { load } from '../../content-types/load/load.js';
import type { ContentType, Registry } from '../../content-types/model/types.js';
import { definitionPath } from '../../content-types/write/definition-path.js';
import { mergeDefinition } from '../../content-types/write/merge-definition.js';
import { writeLike } from '../../content-types/write/write-like.js';
import type { Caller } from '../../documents/caller.js';
import { AppError } from '../../errors/app-error.js';
import { StartError } from '../../errors/start-error.js';
import { parseFile, readText, versionOf, type Replacement } from '../../content-types/write/definition-files.js';
import type { BuiltInContext } from '../contract/built-in.js';
import { changePermissions } from '../contract/access/change-permissions.js';

/** A definition as a request wants it. */
export interface DefinitionChange {
  readonly uid: string;
  /** Of the file that it was read from; null: there is none yet. */
  readonly version: string | null;
  /** Null: it is deleted. */
  readonly definition: Data | null;
}

/** The definition files of the project, with the versions that a change of them names. */
export async function listDefinitions(folder: string): Promise<readonly Data[]> {
  const isProject = isStrapiProject(folder);
  const { contentTypes, components } = await load(folder);
  return Promise.all(
    [...contentTypes, ...components].map(async ({ uid, file, definition }) => {
      const place = definitionPath(uid, isProject);
      const text = place && (await readText(path.join(folder, ...place)));
      if (text === undefined) return { uid, file, version: null, definition };
      return { uid, file, version: versionOf(text), definition: parseFile(text, file) };
    }),
  );
}

/** @throws AppError badRequest */
export function parseChanges(body: unknown): readonly DefinitionChange[] {
  const changes = isRecord(body) ? body['changes'] : undefined;
  if (!Array.isArray(changes) || changes.length === 0) throw new AppError('badRequest', 'changes must be a list');
  const uids = new Set(changes.map((change: unknown) => (isRecord(change) ? change['uid'] : undefined)));
  if (uids.size < changes.length) throw new AppError('badRequest', 'changes must have different uids');
  return changes.map((change: unknown, index) => {
    const { uid, version = null, definition } = isRecord(change) ? change : {};
    if (typeof uid !== 'string') throw new AppError('badRequest', `changes[${index}].uid must be a string`);
    if (version !== null && typeof version !== 'string')
      throw new AppError('badRequest', `changes[${index}].version must be a string or null`);
    if (definition !== null && !isRecord(definition))
      throw new AppError('badRequest', `changes[${index}].definition must be an object or null`);
    return { uid, version, definition };
  });
}

/**
 * Makes the files of a change, with that of the permissions for what is new or deleted, and the content types with it,
 * and checks them together with all others like a start of the service does.
 * @throws AppError badRequest for what has no definition file, conflict if a file is not the one that was read,
 * validation if the service
 *   could not start with them
 */
export async function prepareChanges(
  { registry, settings, project }: BuiltInContext,
  changes: readonly DefinitionChange[],
  caller: Caller,
): Promise<{ readonly files: readonly Replacement[]; readonly registry: Registry }> {
  const folder = settings.folders.contentTypes;
  const isProject = isStrapiProject(folder);
  const files: Replacement[] = [];
  for (const { uid, version, definition } of changes) {
    const place = definitionPath(uid, isProject);
    if (place === undefined) throw new AppError('badRequest', `${uid} cannot have a definition file here`);
    const name = place.join('/');
    const before = await readText(path.join(folder, name));
    if (before === undefined && (registry.contentTypes.has(uid) || registry.components.has(uid)))
      throw new AppError('badRequest', `${uid} is defined by code, not by ${name}: change it there`);
    if ((before === undefined ? null : versionOf(before)) !== version) throw new AppError('changedDefinition', name);
    const former = before === undefined ? undefined : parseFile(before, name);
    if (definition === null && isProject) await refuseCode(folder, uid);
    const after = definition === null ? undefined : writeLike(before, mergeDefinition(former, definition));
    files.push({ uid, name, before, after });
  }
  const changed = files.filter(({ before, after }) => before !== after);
  const removed = new Set(changed.flatMap(({ uid = '', after }) => (after === undefined ? uid : [])));
  const granted = async (types: readonly ContentType[]): Promise<readonly Replacement[]> => [
    ...changed,
    ...(await changePermissions(settings, roleOf(caller), types, removed)),
  ];
  const linking = new Map((await granted([])).map(({ name, after }) => [path.join(folder, name), after]));
  const linked = await refuseInvalid(() => project.definitions.link(linking));
  const added = changed.flatMap(
    ({ uid = '', before }) => (before === undefined ? linked.contentTypes.get(uid) : undefined) ?? [],
  );
  return { files: await granted(added), registry: linked };
}

/** @throws AppError badRequest if the type has code, which could not run without it */
async function refuseCode(folder: string, uid: string): Promise<void> {
  const [, owner] = /^api::(.+)\./.exec(uid) ?? [];
  if (owner === undefined) return;
  const place = ['src', 'api', owner].join('/');
  const files = await readdir(path.join(folder, place), { recursive: true, withFileTypes: true });
  const code = files.find((file) => file.isFile() && file.name !== 'schema.json');
  if (code === undefined) return;
  throw new AppError('badRequest', `${place} has code, e.g. ${code.name}: delete ${uid} by hand`);
}

/** @throws AppError validation, with an issue for each line of a StartError */
export async function refuseInvalid<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new AppError(
      'validation',
      error.message.split('\n').map((message) => ({ path: placeIn(message), message })),
    );
  }
}

/** Of a line such as `content-types/article.json:12: attributes.title.min must be a number`. */
function placeIn(line: string): readonly string[] {
  const [, file, place] = /^([^\s:]+)(?::\d+)?: (\S+) /.exec(line) ?? [];
  return file === undefined || place === undefined ? [] : [file, ...place.split('.')];
}

const roleOf = ({ credentials }: Caller): string | undefined =>
  isRecord(credentials?.['role']) ? String(credentials['role']['type']) : undefined;
