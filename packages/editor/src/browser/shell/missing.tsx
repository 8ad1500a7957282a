import { FileQuestionMark } from 'lucide-react';
import { Link } from 'wouter';
import { useTexts } from '../language/language.js';
import { Empty } from './states.js';

/** Instead of a page that does not exist, or that the user may not see. */
export function Missing() {
  const { notFound, noSuchPage, toHome } = useTexts().shell;
  return (
    <section>
      <h1>{notFound}</h1>
      <Empty icon={FileQuestionMark} title={noSuchPage}>
        <Link className="button" href="/">
          {toHome}
        </Link>
      </Empty>
    </section>
  );
}
