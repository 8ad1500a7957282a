import { isRecord } from '../../src/config/record.js';

type Fields = Readonly<Record<string, unknown>>;

/** Where a value stands in an answer. */
interface Place {
  /** The key that it is under; list indexes do not count. */
  readonly key: string;
  /** Somewhere below the `attributes` of an entry. */
  readonly inEntry: boolean;
}

const moments = new Set(['createdAt', 'updatedAt', 'publishedAt']);
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
/** The addition of Node 22 and later to the position of a syntax error; Strapi was recorded without it. */
const LINE_IN_JSON = /(?<= in JSON at position \d+) \(line \d+ column \d+\)$/;

/** An answer with marks such as `<timestamp>` in place of what differs from run to run. */
export function normalise(value: unknown, place: Place = { key: '', inEntry: false }): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => normalise(one, place));
  if (typeof value === 'string') return normaliseText(value, place.key);
  return isRecord(value) ? normaliseFields(value, place) : value;
}

function normaliseText(text: string, key: string): string {
  if (moments.has(key) && MOMENT.test(text)) return '<timestamp>';
  if (key === 'message') return text.replace(LINE_IN_JSON, '');
  return key === 'jwt' ? '<jwt>' : text;
}

function normaliseFields(fields: Fields, place: Place): Fields {
  const normalised = Object.entries(fields).flatMap(([key, value]) => {
    const rule = rules.find((one) => one.key === key && one.applies(fields, place, value));
    if (rule !== undefined) return rule.replacement === undefined ? [] : [[key, rule.replacement(value)] as const];
    return [[key, normalise(value, { key, inEntry: place.inEntry || key === 'attributes' })] as const];
  });
  return Object.fromEntries(normalised);
}

interface Rule {
  readonly key: string;
  readonly applies: (fields: Fields, place: Place, value: unknown) => boolean;
  /** Left out: the key is dropped. */
  readonly replacement?: (value: unknown) => unknown;
}

const isFile = ({ mime, ...others }: Fields): boolean =>
  typeof mime === 'string' && ['hash', 'url', 'provider', 'ext', 'size'].some((key) => key in others);
const isImage = (fields: Fields): boolean => isFile(fields) && String(fields['mime']).startsWith('image/');
const isComponent = (fields: Fields, { key, inEntry }: Place): boolean =>
  inEntry && key !== 'data' && !('attributes' in fields);
const isUploadAddress = (value: unknown): boolean => typeof value === 'string' && value.includes('/uploads/');

const rules: readonly Rule[] = [
  { key: 'id', applies: isComponent, replacement: () => '<component-id>' },
  { key: 'hash', applies: (_fields, _place, value) => typeof value === 'string', replacement: () => '<hash>' },
  {
    key: 'url',
    applies: (fields, { key }, value) => (isFile(fields) || key === 'attributes') && isUploadAddress(value),
    replacement: () => '<upload-url>',
  },
  { key: 'formats', applies: isFile, replacement: normaliseFormats },
  { key: 'size', applies: isImage, replacement: (value) => (typeof value === 'number' ? '<size>' : value) },
  { key: 'folderPath', applies: isFile },
];

/** Of an image's sizes: what does not depend on who scaled it. */
function normaliseFormats(formats: unknown): unknown {
  if (!isRecord(formats)) return formats;
  return Object.fromEntries(Object.entries(formats).map(([name, format]) => [name, normaliseFormat(format)]));
}

function normaliseFormat(format: unknown): unknown {
  if (!isRecord(format)) return format;
  const { ext, mime, width, height } = format;
  return { ext, mime, width, height };
}
