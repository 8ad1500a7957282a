import { paragraph } from '../document/document.js';
import { noLosses, type Pasted } from './pasted.js';

/** A text without marks. Paragraphs are what is between empty lines; in a text without them, each line. */
export function readPlain(text: string): Pasted {
  const lines = text.replaceAll(/\r\n?/g, '\n').replace(/\n+$/, '');
  const paragraphs = lines.split(/\n(?:[ \t]*\n)+/);
  const nodes = (paragraphs.length === 1 ? lines.split('\n') : paragraphs).map(paragraph);
  return { nodes, losses: noLosses() };
}
