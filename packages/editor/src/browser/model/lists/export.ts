import { formAttributes, type Attribute, type Content, type ContentType } from '../schema.js';
import { isLinks, valuesOf } from '../values.js';

interface Exported {
  readonly id: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** How a file of entries is written, in pieces: its first line or sign, an entry after others, and its end. */
interface Format {
  readonly mime: string;
  readonly begin: (attributes: readonly Attribute[]) => string;
  readonly entry: (row: Row, isFirst: boolean) => string;
  readonly end: string;
}

interface Row {
  readonly content: Content;
  readonly type: ContentType;
  readonly attributes: readonly Attribute[];
  readonly entry: Exported;
}

/** Spreadsheets take a file without it for one of another encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

const lineOf = (cells: readonly string[]): string => `${cells.map(quote).join(',')}\r\n`;

/** As RFC 4180 has it. */
const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const formats = {
  csv: {
    mime: 'text/csv',
    begin: (attributes) => BYTE_ORDER_MARK + lineOf(['id', ...attributes.map(({ label }) => label)]),
    entry: ({ content, type, attributes, entry }) => {
      const values = valuesOf(content, { ...type, attributes }, entry.attributes);
      const cells = attributes.map(({ name }) => {
        const value = values[name];
        return isLinks(value)
          ? value.items.map(({ title, file }) => file?.url ?? title).join(', ')
          : textOf(entry.attributes[name]);
      });
      return lineOf([String(entry.id), ...cells.map(harmless)]);
    },
    end: '',
  },
  json: {
    mime: 'application/json',
    begin: () => '[\n',
    entry: ({ entry }, isFirst) => `${isFirst ? '' : ',\n'}${JSON.stringify(entry)}`,
    end: '\n]\n',
  },
} satisfies Readonly<Record<string, Format>>;

export type ExportFormat = keyof typeof formats;
export const exportFormats = Object.keys(formats) as readonly ExportFormat[];

export const formatOf = (format: ExportFormat): Format => formats[format];

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Spreadsheets would run a text that begins like a formula; numbers stay numbers. */
const harmless = (text: string): string =>
  /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;

/** What an export has of each entry: all that the user may read of it, and its times. */
export const exportedAttributes = (type: ContentType): readonly Attribute[] => [
  ...formAttributes(type).filter(({ read }) => read),
  ...type.attributes.filter(({ name, read }) => read && ['publishedAt', 'updatedAt'].includes(name)),
];
