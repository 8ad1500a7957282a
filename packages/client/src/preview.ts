/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * `content-service/preview`: the page of a site shows what an editor writes. It runs in browsers, and imports nothing.
 */

/** Values that an editor has typed and not saved. */
export interface Typed {
  /** The uid of the content type. */
  readonly uid: string;
  readonly id: number;
  /**
   * The changed attributes, as the API has them; without relations and files, of which a form knows only names.
   * Components with a change are complete but for these.
   */
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface LivePreviewOptions {
  /**
   * The origin of the editor, e.g. `https://cms.example.org`. Nobody else is heard, and nobody else is told anything.
   */
  readonly editor: string;
  /** Shows what was saved. Default: the page is loaded again. */
  readonly onSaved?: () => void;
  /** Shows what was typed, besides the texts of elements with `data-content-field`. */
  readonly onTyped?: (typed: Typed) => void;
}

/**
 * Connects a page with the editor that shows it in a frame; does nothing elsewhere. Elements name the attribute that
 * they show, `data-content-field="title"` or `"blocks.0.text"`, and whose it is,
 * `data-content-entry="api::article.article:12"`, on themselves or around them: what is typed appears in those that
 * hold only a text, and a click on one leads to its field.
 * @returns a function that ends the connection
 */
export function livePreview({ editor, onSaved = () => location.reload(), onTyped }: LivePreviewOptions): () => void {
  if (parent === window) return () => undefined;
  const { origin } = new URL(editor);
  const tell = (message: object): void => parent.postMessage({ contentService: message }, origin);

  const hear = ({ origin: from, source, data }: MessageEvent<unknown>): void => {
    if (from !== origin || source !== parent) return;
    const { kind, ...typed } = ((data as Sent | null)?.contentService ?? {}) as Typed & { readonly kind?: string };
    if (kind === 'saved') onSaved();
    if (kind !== 'typed') return;
    showTexts(typed);
    onTyped?.(typed);
  };
  const leadToField = (event: MouseEvent): void => {
    const element = (event.target as Element).closest(`[${FIELD}]`);
    if (element === null) return;
    event.preventDefault();
    event.stopPropagation();
    tell({ kind: 'field', path: element.getAttribute(FIELD), entry: entryOf(element) });
  };
  const mark = ({ type, target }: Event): void => {
    const element = (target as Element).closest<HTMLElement>(`[${FIELD}]`);
    if (element !== null) element.style.outline = type === 'pointerover' ? '2px solid' : '';
  };

  const ending = new AbortController();
  const listening = { capture: true, signal: ending.signal };
  addEventListener('message', hear, listening);
  document.addEventListener('click', leadToField, listening);
  for (const type of ['pointerover', 'pointerout']) document.addEventListener(type, mark, listening);
  tell({ kind: 'ready' });
  return () => ending.abort();
}

interface Sent {
  readonly contentService?: unknown;
}

const FIELD = 'data-content-field';
const ENTRY = 'data-content-entry';

/** The entry that an element belongs to; undefined: the page says of none. */
const entryOf = (element: Element): string | undefined =>
  element.closest(`[${ENTRY}]`)?.getAttribute(ENTRY) ?? undefined;

/** Elements within one that shows a field are the site's: how it shows that, `onTyped` knows. */
function showTexts({ uid, id, attributes }: Typed): void {
  for (const element of document.querySelectorAll(`[${FIELD}]`)) {
    if ((entryOf(element) ?? `${uid}:${id}`) !== `${uid}:${id}` || element.childElementCount > 0) continue;
    const names = (element.getAttribute(FIELD) ?? '').split('.');
    const value = names.reduce<unknown>(
      (at, name) => (Object(at) as Readonly<Record<string, unknown>>)[name],
      attributes,
    );
    if (typeof value !== 'string' && typeof value !== 'number' && value !== null) continue;
    // A framework goes on with the text that it has made.
    const { firstChild: text } = element;
    if (text?.nodeType === Node.TEXT_NODE && text === element.lastChild) text.nodeValue = String(value ?? '');
    else element.textContent = String(value ?? '');
  }
}
