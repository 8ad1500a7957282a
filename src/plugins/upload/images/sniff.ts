import { open } from 'node:fs/promises';
import { AppError } from '../../../errors/app-error.js';
import type { UploadSettings } from '../settings.js';

/** The number of bytes at the start of a file that are inspected. */
const SAMPLE = 4100;

/**
 * The type of a file by its first bytes; undefined if they are not specific, as in plain text.
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

/**
 * The signatures that browsers detect as HTML:
 * https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type
 */
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

const wellFormed = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

/** The client's declared type, if it is a valid type. */
export const parseClaim = (claim: string): string =>
  wellFormed.test(claim) ? claim.toLowerCase() : 'application/octet-stream';

/** Container types of many formats, for which the declared type is more specific. */
const wrappers = new Set(['application/zip', 'application/xml', 'application/x-cfb', 'application/gzip']);

/** Types that are always detected by content, and that browsers do not just show as text. */
const isMedia = (type: string): boolean => /^(?:image|video|audio|font)\//.test(type) || type === 'application/pdf';

const familyOf = (type: string): string | undefined => type.split('/')[0];

/**
 * The recorded type: detected from the content, unless that is less specific than the declared type. As recorded from
 * Strapi v4, anything can be declared as plain text, which is harmless in browsers.
 */
export function decideType(claimed: string, detected: string | undefined): string {
  if (detected === undefined || claimed === 'text/plain') return claimed;
  if (wrappers.has(detected) || detected === 'text/html') return isMedia(claimed) ? detected : claimed;
  return familyOf(claimed) === familyOf(detected) && familyOf(claimed) !== 'image' ? claimed : detected;
}

/**
 * Refuses types that the settings do not allow, by content, not only by the declared type.
 * @throws AppError application
 */
export function checkType(
  claimed: string,
  detected: string | undefined,
  { allowedTypes, deniedTypes }: Pick<UploadSettings, 'allowedTypes' | 'deniedTypes'>,
): void {
  const unproven = detected === undefined && isMedia(claimed);
  const content = unproven ? 'application/octet-stream' : decideType(claimed, detected);
  const types = [content, ...(detected !== undefined && !wrappers.has(detected) ? [detected] : [])];
  const isDenied = [...types, claimed].some((type) => matches(type, deniedTypes));
  const isAllowed = allowedTypes.length === 0 || types.every((type) => matches(type, allowedTypes));
  if (isDenied || !isAllowed) throw new AppError('refusedFileType', types.at(-1) ?? claimed, allowedTypes);
}

const matches = (type: string, patterns: readonly string[]): boolean =>
  patterns.includes(type) || patterns.includes(`${familyOf(type)}/*`);
