import { cacheLife, cacheTag } from 'next/cache';
import { draftMode } from 'next/headers';

const service = process.env.CONTENT_URL ?? 'http://localhost:1337';

/** The articles, the newest first. */
export const listArticles = () =>
  read('/api/articles?filters[slug][$notNull]=true&sort=publishedAt:desc&populate=cover');

/** The article with this slug; undefined if there is none, or if it is a draft and this is no preview. */
export async function findArticle(slug) {
  const [article] = await read(`/api/articles?filters[slug]=${encodeURIComponent(slug)}&populate=cover`);
  return article;
}

/** The address of a file; with some stores it is absolute already. */
export const fileUrl = (url) => new URL(url, service).href;

/**
 * What the service answers. Next keeps it until one of its tags is revalidated: `content` by the webhook, those of the service by a
 * purge. In draft mode Next keeps nothing, and the service is asked for drafts too.
 */
async function read(path) {
  'use cache';
  cacheLife('max');
  const { isEnabled } = await draftMode();
  const response = await fetch(`${service}${path}${isEnabled ? '&publicationState=preview' : ''}`, {
    headers: isEnabled ? { Authorization: `Bearer ${process.env.DRAFTS_TOKEN}` } : {},
  });
  if (!response.ok) throw new Error(`The service answers ${response.status} to ${path}: ${await response.text()}`);
  const tags = response.headers.get('cache-tag')?.split(',') ?? [];
  cacheTag('content', ...tags);
  return (await response.json()).data;
}
