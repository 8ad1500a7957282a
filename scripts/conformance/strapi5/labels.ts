import { isRecord } from '../../../src/config/record.js';

const DOCUMENT = /(?<![A-Za-z0-9])[a-z][a-z0-9]{23}(?![A-Za-z0-9])/g;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const moments = new Set(['createdAt', 'updatedAt', 'publishedAt', 'firstPublishedAt']);
const ids = new Set(['id', 'ids']);

/** Of files: what depends on who stores them. */
const maskedOfFiles = new Set(['hash', 'url', 'formats', 'size']);

/**
 * Marks in place of what differs from run to run: documents have the names under which they were captured, and others,
 * as rows, numbers in the order in which they appear.
 */
export class Labels {
  readonly #named: Map<string, string>;
  readonly #documents = new Map<string, string>();
  readonly #rows = new Map<string, string>();

  constructor(named: ReadonlyMap<string, string>) {
    this.#named = new Map(named);
  }

  get named(): ReadonlyMap<string, string> {
    return this.#named;
  }

  /** Values that are no documentId need no name. */
  name(value: unknown, name: string): void {
    if (typeof value === 'string' && value.replace(DOCUMENT, '') === '') this.#named.set(value, name);
  }

  mark(value: unknown, key = ''): unknown {
    if (Array.isArray(value)) return value.map((part: unknown) => this.mark(part, key));
    if (typeof value === 'number') return ids.has(key) ? '<id>' : value;
    if (typeof value === 'string') return this.#markText(value, key);
    if (!isRecord(value)) return value;
    const isFile =
      typeof value['mime'] === 'string' && ['hash', 'url', 'provider', 'size'].some((name) => name in value);
    const marked = Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .filter(([name]) => !isFile || name !== 'folderPath')
      .map(([name, part]) => {
        const { documentId } = value;
        if (name === 'id' && typeof part === 'number' && typeof documentId === 'string')
          return [name, this.#row(documentId, part)];
        if (isFile && maskedOfFiles.has(name) && (part !== null || name === 'hash')) return [name, `<${name}>`];
        return [this.#markText(name, ''), this.mark(part, ids.has(key) ? key : name)];
      });
    return Object.fromEntries(marked) as unknown;
  }

  #markText(text: string, key: string): string {
    if (moments.has(key) && MOMENT.test(text)) return '<timestamp>';
    if (key === 'jwt') return '<jwt>';
    return /^\$2[aby]\$/.test(text) ? '<hash>' : text.replaceAll(DOCUMENT, (id) => this.#document(id));
  }

  #document(id: string): string {
    const name = this.#named.get(id);
    if (name !== undefined) return `<${name}>`;
    return numbered(this.#documents, id, 'document');
  }

  #row(documentId: string, id: number): string {
    return numbered(this.#rows, `${documentId}:${id}`, 'row');
  }
}

function numbered(labels: Map<string, string>, key: string, kind: string): string {
  const label = labels.get(key) ?? `<${kind} ${labels.size + 1}>`;
  labels.set(key, label);
  return label;
}
