import { forgetContent } from '../utils/content.js';
import { isGenuine } from '../utils/is-genuine.js';

/** Receives the webhook: whatever changed, all answers are forgotten. */
export default defineEventHandler(async (event) => {
  const { webhookSecret } = useRuntimeConfig(event);
  const body = (await readRawBody(event)) ?? '';
  if (webhookSecret === '' || !isGenuine(getRequestHeaders(event), body, webhookSecret)) {
    throw createError({ statusCode: 401 });
  }
  await forgetContent();
  return sendNoContent(event);
});
