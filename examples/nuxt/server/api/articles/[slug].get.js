import { readContent } from '../../utils/content.js';

/** The article with this slug. */
export default defineEventHandler(async (event) => {
  const slug = getRouterParam(event, 'slug', { decode: true });
  const [article] = await readContent(event, `/api/articles?filters[slug]=${encodeURIComponent(slug)}&populate=cover`);
  if (article === undefined) throw createError({ statusCode: 404, statusMessage: 'There is no such article' });
  return article;
});
