import { createHash, timingSafeEqual } from 'node:crypto';
import { draftMode } from 'next/headers';
import { redirect } from 'next/navigation';

/** Turns the preview on for whoever has the password, and shows the article: the address that the editor links to. */
export async function GET(request) {
  if (!isPermitted(request.headers.get('authorization'))) {
    return new Response('This needs the password of the preview.', {
      status: 401,
      headers: { 'WWW-Authenticate': 'Basic realm="Preview", charset="UTF-8"' },
    });
  }
  const preview = await draftMode();
  preview.enable();
  return redirect(`/articles/${encodeURIComponent(request.nextUrl.searchParams.get('slug') ?? '')}`);
}

/** Browsers ask for a user and a password; any user is right. */
function isPermitted(authorization) {
  const { PREVIEW_PASSWORD } = process.env;
  if (!PREVIEW_PASSWORD || !authorization?.startsWith('Basic ')) return false;
  const [, password = ''] =
    /^[^:]*:(.*)$/s.exec(Buffer.from(authorization.slice('Basic '.length), 'base64').toString()) ?? [];
  return timingSafeEqual(hash(password), hash(PREVIEW_PASSWORD));
}

const hash = (text) => createHash('sha256').update(text).digest();
