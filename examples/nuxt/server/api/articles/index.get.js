import { readContent } from '../../utils/content.js';

/** The articles, the newest first. */
export default defineEventHandler((event) =>
  readContent(event, '/api/articles?filters[slug][$notNull]=true&sort=publishedAt:desc&populate=cover'),
);
