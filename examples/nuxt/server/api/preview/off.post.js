export default defineEventHandler((event) => {
  turnPreviewOff(event);
  return sendRedirect(event, '/', 303);
});
