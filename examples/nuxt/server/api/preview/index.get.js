import { hasPassword, turnPreviewOn } from '../../utils/preview.js';

/** Turns the preview on for whoever has the password, and shows the article: the address that the editor links to. */
export default defineEventHandler((event) => {
  if (!hasPassword(event)) {
    setResponseHeader(event, 'WWW-Authenticate', 'Basic realm="Preview", charset="UTF-8"');
    throw createError({ statusCode: 401, statusMessage: 'This needs the password of the preview' });
  }
  turnPreviewOn(event);
  return sendRedirect(event, `/articles/${encodeURIComponent(String(getQuery(event).slug ?? ''))}`);
});
