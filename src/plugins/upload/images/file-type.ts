import { AppError } from '../../../errors/app-error.js';
import type { UploadSettings } from '../settings.js';

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
