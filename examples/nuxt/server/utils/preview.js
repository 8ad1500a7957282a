import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const COOKIE = 'preview';

/** Browsers ask for a user and a password; any user is right. */
export function hasPassword(event) {
  const { previewPassword } = useRuntimeConfig(event);
  const [, encoded] = /^Basic (.*)$/.exec(getRequestHeader(event, 'authorization') ?? '') ?? [];
  if (previewPassword === '' || encoded === undefined) return false;
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return isSame(password, previewPassword);
}

export function isInPreview(event) {
  const { previewPassword } = useRuntimeConfig(event);
  return previewPassword !== '' && isSame(getCookie(event, COOKIE) ?? '', keyOf(previewPassword));
}

export function turnPreviewOn(event) {
  const { previewPassword } = useRuntimeConfig(event);
  setCookie(event, COOKIE, keyOf(previewPassword), { httpOnly: true, secure: true, sameSite: 'lax', path: '/' });
}

export const turnPreviewOff = (event) => deleteCookie(event, COOKIE, { path: '/' });

/** What only those can have who knew the password; with a new password all previews end. */
const keyOf = (password) => createHmac('sha256', password).update(COOKIE).digest('hex');

const isSame = (one, other) => timingSafeEqual(hash(one), hash(other));
const hash = (text) => createHash('sha256').update(text).digest();
