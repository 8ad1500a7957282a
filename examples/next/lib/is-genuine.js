import { createHmac, timingSafeEqual } from 'node:crypto';

export function isGenuine(headers, body, secret) {
  const timestamp = headers['x-timestamp'];
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const signature = Buffer.from(String(headers['x-signature']));
  const computed = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const expected = Buffer.from(`sha256=${computed}`);
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}
