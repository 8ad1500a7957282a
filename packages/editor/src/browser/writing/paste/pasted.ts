import type { Texts } from '../../language/texts.js';
import type { ElementNode, TextNode } from '../document/document.js';

/** What is read from a clipboard, and what of it does not arrive as it was: nothing is lost without a word. */
export interface Pasted {
  readonly nodes: readonly ElementNode[];
  readonly losses: Losses;
}

export interface Losses {
  /** The names of images that are files of the computer, or of another program. */
  readonly localImages: Set<string>;
  /** The hosts that images stay on. */
  readonly imageHosts: Set<string>;
  /** Addresses that are none of a page, such as scripts. */
  readonly addresses: Set<string>;
  /** What the kind of text does not have: a table in blocks. */
  readonly kinds: Set<'table'>;
}

export const noLosses = (): Losses => ({
  localImages: new Set(),
  imageHosts: new Set(),
  addresses: new Set(),
  kinds: new Set(),
});

/** Images that the browser can store in the library. A drawing (SVG) may contain a script. */
export const embedded = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,/i;

/** Where there is no place for an image there is a link to it. */
export const linkOf = ({ image }: ElementNode): ElementNode | TextNode => {
  const { url = '', alternativeText = '' } = image ?? {};
  const text = alternativeText === '' || alternativeText === null ? url.replace(/^.*\//, '') : alternativeText;
  return url.startsWith('data:')
    ? { type: 'text', text: alternativeText ?? '' }
    : { type: 'link', url, children: [{ type: 'text', text }] };
};

/** What a user is told of what did not arrive as it was; empty if everything did. */
export function describeLosses(texts: Texts['writing']['lost'], losses: Losses): string {
  const sentences = (['localImages', 'imageHosts', 'addresses'] as const).map((kind) =>
    losses[kind].size === 0 ? '' : texts[kind]([...losses[kind]].join(', ')),
  );
  return [...sentences, losses.kinds.has('table') ? texts.tables : ''].filter((sentence) => sentence !== '').join(' ');
}
