import Link from 'next/link';
import { listArticles } from '../lib/content.js';
import { Picture } from './picture.js';

export default async function ArticlesPage() {
  const articles = await listArticles();
  return (
    <>
      <h1>Articles</h1>
      <ul>
        {articles.map(({ id, attributes }) => (
          <li key={id}>
            <Picture file={attributes.cover.data} sizes="200px" />
            <Link href={`/articles/${encodeURIComponent(attributes.slug)}`}>{attributes.title}</Link>
            {attributes.publishedAt === null && <em>Draft</em>}
          </li>
        ))}
      </ul>
    </>
  );
}
