import { bounds } from '../../../config/bounds.js';
import { isRecord } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';
import type { Issue } from '../../../errors/codes.js';
import { parseId } from '../../../query/parse/input.js';
import { refused, type Edit, type Folder } from './tree.js';

/** Folders and files that one request moves or deletes. */
export interface Selected {
  readonly folders: readonly number[];
  readonly files: readonly number[];
}

type Mistake = Pick<Issue, 'message' | 'rule' | 'limit'>;

/** Strapi v4's rules for names, and its messages; it has none for long ones. */
const nameRules: readonly (readonly [(name: string) => boolean, Mistake])[] = [
  [(name) => name.length > 0, { message: 'name must be at least 1 characters', rule: 'minLength', limit: 1 }],
  [(name) => name.length <= 255, { message: 'name must be at most 255 characters', rule: 'maxLength', limit: 255 }],
  [(name) => !name.includes('/'), { message: 'name cannot contain slashes', rule: 'noSlash' }],
  [(name) => name.trim() === name, { message: 'name cannot start or end with a whitespace', rule: 'noOuterSpace' }],
];

/** The body of a new folder. @throws AppError validation */
export function parseNewFolder(body: unknown): Pick<Folder, 'name' | 'parent'> {
  const { name, parent = null } = parseFolderEdit(body);
  if (name === undefined) throw refused('name', 'name is a required field', { rule: 'required' });
  return { name, parent };
}

/** The body of a change: what is absent stays. @throws AppError validation */
export function parseFolderEdit(body: unknown): Edit {
  const { name, parent } = fieldsOf(body, ['name', 'parent']);
  return {
    ...(name !== undefined && { name: parseName(name) }),
    ...(parent !== undefined && { parent: parsePosition(parent, 'parent') }),
  };
}

/** @throws AppError validation */
export function parseMove(body: unknown): Selected & { readonly to: number | null } {
  const { destinationFolderId: to, ...lists } = fieldsOf(body, ['destinationFolderId', 'folderIds', 'fileIds']);
  if (to === undefined)
    throw refused('destinationFolderId', 'destinationFolderId is a required field', { rule: 'required' });
  return { ...parseSelected(lists), to: parsePosition(to, 'destinationFolderId') };
}

/** @throws AppError validation */
export function parseRemoval(body: unknown): Selected & { readonly withContents: boolean } {
  const { withContents = false, ...lists } = fieldsOf(body, ['folderIds', 'fileIds', 'withContents']);
  if (typeof withContents !== 'boolean') throw refused('withContents', 'withContents must be true or false');
  return { ...parseSelected(lists), withContents };
}

/** The id of a folder, or null for the top. @throws AppError validation that names the field */
export function parsePosition(value: unknown, name: string): number | null {
  if (value === null) return null;
  const id = parseIdValue(value);
  if (id === undefined) throw refused(name, `${name} must be the id of a folder, or null for the top`);
  return id;
}

function parseName(name: unknown): string {
  if (typeof name !== 'string') throw refused('name', 'name must be a string');
  const [, mistake] = nameRules.find(([allows]) => !allows(name)) ?? [];
  if (mistake !== undefined) throw refused('name', mistake.message, mistake);
  return name;
}

function parseSelected({ folderIds = [], fileIds = [] }: Readonly<Record<string, unknown>>): Selected {
  const selected = { folders: parseIds(folderIds, 'folderIds'), files: parseIds(fileIds, 'fileIds') };
  if (selected.folders.length + selected.files.length > bounds.selectedFiles)
    throw refused('folderIds', `a request names at most ${bounds.selectedFiles} folders and files`);
  return selected;
}

function parseIds(list: unknown, name: string): readonly number[] {
  const ids = Array.isArray(list) ? list.map(parseIdValue) : [undefined];
  if (ids.includes(undefined)) throw refused(name, `${name} must be a list of ids`);
  return [...new Set(ids as readonly number[])];
}

const parseIdValue = (value: unknown): number | undefined =>
  typeof value === 'number' || typeof value === 'string' ? parseId(String(value)) : undefined;

/** @throws AppError validation for a name that is not allowed */
function fieldsOf(body: unknown, allowed: readonly string[]): Readonly<Record<string, unknown>> {
  if (!isRecord(body)) throw new AppError('validation', [{ path: [], message: 'the body must be a JSON object' }]);
  const unknown = Object.keys(body).find((name) => !allowed.includes(name));
  if (unknown !== undefined) throw refused(unknown, `${unknown} is unknown; allowed: ${allowed.join(', ')}`);
  return body;
}
