import { draftMode } from 'next/headers';

export async function POST() {
  const preview = await draftMode();
  preview.disable();
  return new Response(null, { status: 303, headers: { Location: '/' } });
}
