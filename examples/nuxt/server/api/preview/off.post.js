import { turnPreviewOff } from '../../utils/preview.js';

export default defineEventHandler((event) => {
  turnPreviewOff(event);
  return sendRedirect(event, '/', 303);
});
