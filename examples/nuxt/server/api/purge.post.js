import { forgetContent } from '../utils/content.js';

/** Receives the purges of the service: the answers with one of these tags are forgotten. */
export default defineEventHandler(async (event) => {
  const { purgeToken } = useRuntimeConfig(event);
  if (purgeToken === '' || getRequestHeader(event, 'authorization') !== `Bearer ${purgeToken}`) {
    throw createError({ statusCode: 401 });
  }
  const { tags } = await readBody(event);
  await forgetContent(tags);
  return sendNoContent(event);
});
