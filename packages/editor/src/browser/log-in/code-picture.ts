import { encode } from 'uqr';

/** What a camera reads as a text: a QR code. */
export interface CodePicture {
  /** Squares on each side, with the margin that cameras need. */
  readonly size: number;
  /** The dark squares, as the path of an SVG whose unit is one square. */
  readonly path: string;
}

/** Squares, as ISO/IEC 18004 asks for. */
const MARGIN = 4;

/** @param text at most 2,900 bytes, of which more make smaller squares */
export function drawCode(text: string): CodePicture {
  const { data, size } = encode(text, { ecc: 'M', border: MARGIN });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: squares.join('') };
}
