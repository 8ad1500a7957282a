import { isInPreview } from '../utils/preview.js';

/** Whether whoever asks has turned the preview on; what they get is for them alone. */
export default defineEventHandler((event) => {
  event.context.isPreview = isInPreview(event);
  if (event.context.isPreview) setResponseHeader(event, 'Cache-Control', 'private, no-store');
});
