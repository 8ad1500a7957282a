import { revalidateTag } from 'next/cache';
import { isGenuine } from '../../../lib/is-genuine.js';

/** Receives the webhook: whatever changed, all that was read is read again when it is next needed. */
export async function POST(request) {
  const { WEBHOOK_SECRET } = process.env;
  const headers = Object.fromEntries(request.headers);
  if (!WEBHOOK_SECRET || !isGenuine(headers, await request.text(), WEBHOOK_SECRET)) {
    return new Response(null, { status: 401 });
  }
  revalidateTag('content', { expire: 0 });
  return new Response(null, { status: 204 });
}
