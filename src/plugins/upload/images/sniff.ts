import { open } from 'node:fs/promises';
import { AppError } from '../../../errors/app-error.js';
import type { UploadSettings } from '../settings.js';

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

const wellFormed = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

/** What a client claims, when it can be a type at all. */
export const parseClaim = (claim: string): string =>
  wellFormed.test(claim) ? claim.toLowerCase() : 'application/octet-stream';

/** What many other types are inside: the claim says more. */
const wrappers = new Set(['application/zip', 'application/xml', 'application/x-cfb', 'application/gzip']);

/** Types whose content is always recognised, and that a browser does more with than showing text. */
const isMedia = (type: string): boolean => /^(?:image|video|audio|font)\//.test(type) || type === 'application/pdf';

const familyOf = (type: string): string | undefined => type.split('/')[0];

/**
 * The type that is recorded: the content's, unless that says nothing or no more than the claim. As recorded from
 * Strapi v4, plain text may be claimed of anything: browsers do nothing with it.
 */
export function decideType(claimed: string, detected: string | undefined): string {
  if (detected === undefined || claimed === 'text/plain') return claimed;
  if (wrappers.has(detected) || detected === 'text/html') return isMedia(claimed) ? detected : claimed;
  return familyOf(claimed) === familyOf(detected) && familyOf(claimed) !== 'image' ? claimed : detected;
}

/**
 * Refuses what the settings do not allow, by content: a claim alone opens no door.
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
  if (isDenied || !isAllowed) {
    const allowed = allowedTypes.length === 0 ? '' : `; allowed: ${allowedTypes.join(', ')}`;
    throw new AppError('application', `Files of the type ${types.at(-1)} are not allowed${allowed}`);
  }
}

const matches = (type: string, patterns: readonly string[]): boolean =>
  patterns.includes(type) || patterns.includes(`${familyOf(type)}/*`);
