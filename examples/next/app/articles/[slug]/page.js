import Link from 'next/link';
import { notFound } from 'next/navigation';
import { findArticle, listArticles } from '../../../lib/content.js';
import { Picture } from '../../picture.js';

/** The pages that the build makes, of which Next needs one; others are made when they are first asked for. */
export async function generateStaticParams() {
  const articles = await listArticles();
  return articles.length === 0 ? [{ slug: '-' }] : articles.map(({ attributes }) => ({ slug: attributes.slug }));
}

export async function generateMetadata({ params }) {
  const article = await findArticle((await params).slug);
  return { title: article?.attributes.title };
}

export default async function ArticlePage({ params }) {
  const article = await findArticle((await params).slug);
  if (article === undefined) notFound();
  const { title, body, cover } = article.attributes;
  return (
    <article>
      <h1>{title}</h1>
      <Picture file={cover.data} sizes="(max-width: 40rem) 100vw, 40rem" />
      <div className="body">{body}</div>
      <Link href="/">All articles</Link>
    </article>
  );
}
