import { isRecord } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';
import { print } from '../../../documents/input/validate/messages.js';
import type { FileInfo } from '../../contract/forms.js';
import { parsePosition } from '../folders/parse-folder.js';

const names = ['name', 'alternativeText', 'caption'] as const;

/**
 * Parses the `fileInfo` of a form or of JSON, for one file.
 * @param folders whether it can name a folder
 * @throws AppError validation
 */
export const parseFileInfo = (input: unknown, folders = false): FileInfo =>
  input === undefined ? {} : parseInfo(input, ['fileInfo'], folders);

/**
 * Parses the `fileInfo` of several files: a list with one element for each.
 * @throws AppError validation
 */
export function parseFileInfos(input: unknown, folders = false): readonly FileInfo[] {
  if (input === undefined) return [];
  const list = parseText(input);
  if (!Array.isArray(list)) throw mistyped(['fileInfo'], 'array', input);
  return list.map((element: unknown, index) => parseInfo(element, ['fileInfo', String(index)], folders));
}

function parseInfo(input: unknown, path: readonly string[], folders: boolean): FileInfo {
  const info = parseText(input);
  if (!isRecord(info)) throw mistyped(path, 'object', input);
  const texts = names.flatMap((name) => {
    const value = Object.hasOwn(info, name) ? info[name] : undefined;
    if (value === undefined) return [];
    if (value === null || typeof value === 'string') return [[name, value] as const];
    if (typeof value === 'object') throw mistyped([...path, name], 'string', value);
    return [[name, JSON.stringify(value)] as const];
  });
  const { folder } = info;
  const position = folders && folder !== undefined ? { folder: parsePosition(folder, 'folder') } : {};
  return { ...Object.fromEntries(texts), ...position };
}

/** Fields of forms are strings that contain JSON. */
function parseText(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  try {
    return JSON.parse(input) as unknown;
  } catch {
    return undefined;
  }
}

/** With the messages of Strapi v4, which are yup's. */
function mistyped(path: readonly string[], type: string, value: unknown): AppError {
  const [first = '', ...others] = path;
  const label = first + others.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('');
  const actual = print(value);
  const final = type === 'string' ? `\`${actual}\`` : `\`null\` (cast from the value \`${actual}\`)`;
  const message = `${label} must be a \`${type}\` type, but the final value was: ${final}.`;
  return new AppError('validation', [{ path, message }]);
}
