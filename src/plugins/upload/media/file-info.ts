import { isRecord } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';
import { print } from '../../../documents/input/validate/messages.js';
import { parseJson, type FileInfo, type FocalPoint } from '../../contract/forms.js';
import { parsePosition } from '../folders/parse-folder.js';

const names = ['name', 'alternativeText', 'caption'] as const;

/**
 * Parses the `fileInfo` of a form or of JSON, for one file.
 * @param folders whether it can name a folder
 * @throws AppError validation
 */
export const parseFileInfo = (input: unknown, folders: boolean): FileInfo =>
  input === undefined ? {} : parseInfo(input, ['fileInfo'], folders);

/**
 * Parses the `fileInfo` of several files: a list with one element for each.
 * @throws AppError validation
 */
export function parseFileInfos(input: unknown, folders: boolean): readonly FileInfo[] {
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
  const { folder, focalPoint } = info;
  return {
    ...Object.fromEntries(texts),
    ...(focalPoint !== undefined && { focalPoint: parseFocalPoint(focalPoint, [...path, 'focalPoint']) }),
    ...(folders && folder !== undefined && { folder: parsePosition(folder, 'folder') }),
  };
}

function parseFocalPoint(input: unknown, path: readonly string[]): FocalPoint | null {
  if (input === null) return null;
  if (!isRecord(input)) throw mistyped(path, 'object', input);
  const shareOf = (name: string): number => {
    const [share, at] = [input[name], [...path, name]];
    if (typeof share !== 'number') throw mistyped(at, 'number', share);
    if (share < 0) throw refused(at, 'must be greater than or equal to 0');
    if (share > 1) throw refused(at, 'must be less than or equal to 1');
    return share;
  };
  return { x: shareOf('x'), y: shareOf('y') };
}

/** Fields of forms are strings that contain JSON. */
const parseText = (input: unknown): unknown => (typeof input === 'string' ? parseJson(input) : input);

/** With the messages of Strapi v4, which are yup's. */
function mistyped(path: readonly string[], type: string, value: unknown): AppError {
  const actual = print(value);
  const cast = type === 'number' ? 'NaN' : 'null';
  const final = type === 'string' ? `\`${actual}\`` : `\`${cast}\` (cast from the value \`${actual}\`)`;
  return refused(path, `must be a \`${type}\` type, but the final value was: ${final}.`);
}

/** The error for what a client sent at a path, e.g. `fileInfo[0].name must be …`. */
export function refused(path: readonly string[], rule: string): AppError {
  const [first = '', ...others] = path;
  const label = first + others.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('');
  return new AppError('validation', [{ path, message: `${label} ${rule}` }]);
}
