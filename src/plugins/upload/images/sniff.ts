import { open } from 'node:fs/promises';

/** Bytes from the beginning of a file that are looked at. */
const SAMPLE = 4100;

/**
 * The type of a file by its first bytes; undefined when they say nothing, as with plain text.
 * @param file its path
 */
export async function sniff(file: string): Promise<string | undefined> {
  const sample = await readSample(file);
  const { fileTypeFromBuffer } = await import('file-type/core');
  // Markup first: file-type takes SVG and XHTML for plain XML.
  return sniffMarkup(decode(sample)) ?? (await fileTypeFromBuffer(sample).catch(() => undefined))?.mime;
}

async function readSample(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(SAMPLE), 0, SAMPLE, 0);
    return new Uint8Array(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** Markup can be written in UTF-16, which its first two bytes show. */
function decode(sample: Uint8Array): string {
  const mark = `${sample[0]} ${sample[1]}`;
  const encoding = mark === '255 254' ? 'utf-16le' : mark === '254 255' ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(sample);
}

/** What browsers take for HTML: https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type */
const htmlTags = new Set(
  'html head script iframe h1 div font table a style title b body br p meta link img form object embed'.split(' '),
);

/** The type of a string by its first tag. */
export function sniffMarkup(text: string): string | undefined {
  const { rest, declared } = skipProlog(text);
  const [, tag = ''] = /^<(?:[\w.-]+:)?([A-Za-z][\w.-]*)/.exec(rest) ?? [];
  const name = tag.toLowerCase();
  if (/^<!doctype\s+html/i.test(rest) || htmlTags.has(name)) return 'text/html';
  if (name === 'svg' || /^<!doctype\s+svg/i.test(rest)) return 'image/svg+xml';
  return declared ? 'application/xml' : undefined;
}

/** The text from its first tag or document type on: without blanks, comments and processing instructions. */
function skipProlog(text: string): { readonly rest: string; readonly declared: boolean } {
  let rest = text.trimStart();
  let declared = false;
  while (rest.startsWith('<!--') || rest.startsWith('<?')) {
    declared ||= rest.startsWith('<?xml');
    const close = rest.startsWith('<!--') ? '-->' : '?>';
    const at = rest.indexOf(close);
    rest = at < 0 ? '' : rest.slice(at + close.length).trimStart();
  }
  return { rest, declared };
}
