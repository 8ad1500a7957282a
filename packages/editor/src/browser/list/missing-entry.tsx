import { FileQuestionMark } from 'lucide-react';
import { Link } from 'wouter';
import { useTexts } from '../language/language.js';
import type { ContentType } from '../model/schema.js';
import { Empty } from '../shell/states.js';
import { useTitle } from '../shell/use-title.js';
import { lastList } from './last-list.js';

/** Instead of the form of an entry that does not exist, or that the user may not see: the way to the others. */
export function MissingEntry({ type }: { readonly type: ContentType }) {
  const { refusals, form } = useTexts();
  useTitle(type.entryName);
  return (
    <section>
      <h1>{type.entryName}</h1>
      <Empty icon={FileQuestionMark} title={refusals.notFound}>
        <Link className="button" href={lastList(type)}>
          {form.wayBack}
        </Link>
      </Empty>
    </section>
  );
}
