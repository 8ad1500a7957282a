import type { Texts } from '../../language/texts.js';

const KILOBYTES = 1000;

/** How large a file is, whose `size` is in kilobytes. */
export function sizeOf({ code }: Pick<Texts, 'code'>, { size }: { readonly size?: number }): string {
  if (size === undefined) return '';
  const [value, unit] = size < KILOBYTES ? [size, 'kilobyte'] : [size / KILOBYTES, 'megabyte'];
  return value.toLocaleString(code, { style: 'unit', unit, maximumSignificantDigits: 3 });
}

/** The width and height of an image; empty for other files. */
export const dimensionsOf = (file: { readonly width?: number | null; readonly height?: number | null }): string =>
  file.width && file.height ? `${file.width} × ${file.height}` : '';
