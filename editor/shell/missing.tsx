import { useTexts } from '../language/language.js';

/** Instead of a page that does not exist, or that the user may not see. */
export function Missing() {
  const { notFound, noSuchPage } = useTexts().shell;
  return (
    <section>
      <h1>{notFound}</h1>
      <p>{noSuchPage}</p>
    </section>
  );
}
