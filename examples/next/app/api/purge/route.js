import { revalidateTag } from 'next/cache';

/** Receives the purges of the service: what has one of these tags is read again when it is next needed. */
export async function POST(request) {
  const { PURGE_TOKEN } = process.env;
  if (!PURGE_TOKEN || request.headers.get('authorization') !== `Bearer ${PURGE_TOKEN}`) {
    return new Response(null, { status: 401 });
  }
  const { tags } = await request.json();
  for (const tag of tags) revalidateTag(tag, { expire: 0 });
  return new Response(null, { status: 204 });
}
