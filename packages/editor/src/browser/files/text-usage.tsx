import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { formAddress, readPage } from '../api/entries.js';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import { stepsOf, textQuery, textsWithAddresses } from '../model/references.js';
import { isListed, type Content } from '../model/schema.js';
import { linkOf, type FileRecord } from '../model/values.js';
import { Failure } from '../shell/notices.js';

interface Props {
  readonly content: Content;
  readonly file: FileRecord;
}

const LIMIT = 20;

const hasBlocks = ({ contentTypes, components }: Content): boolean =>
  [...contentTypes, ...components].some(({ attributes }) => attributes.some(({ type }) => type === 'blocks'));

/** The entries whose Markdown has the address of a file in it, which are related to it in no other way. */
export function TextUsage({ content, file }: Props) {
  const texts = useTexts();
  const { api } = useSession();
  const { data, error } = useQuery({
    queryKey: ['files', 'texts', file.id],
    gcTime: 0,
    queryFn: () =>
      Promise.all(
        textsWithAddresses(content).map(async (reference) => ({
          reference,
          page: await readPage(api, reference.type, textQuery(content, reference, file, LIMIT + 1)),
        })),
      ),
  });
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <p className="hint">{texts.common.loading}</p>;
  const used = data.filter(({ page }) => page.entries.length > 0);
  return (
    <>
      {used.map(({ reference, reference: { type, path }, page: { entries } }) => (
        <section key={`${type.uid} ${path.join('.')}`}>
          <h4>{texts.writing.inText(type.entryName, stepsOf(content, reference).join(' › '))}</h4>
          <ul>
            {entries.slice(0, LIMIT).map((entry) => {
              const { title } = linkOf(content, [type.uid], { ...entry });
              return (
                <li key={entry.id}>
                  {isListed(type) ? <Link href={formAddress(type, entry.id)}>{title}</Link> : title}
                </li>
              );
            })}
          </ul>
          {entries.length > LIMIT && <p className="hint">{texts.referrers.more}</p>}
        </section>
      ))}
      {hasBlocks(content) && <p className="hint">{texts.writing.notInBlocks}</p>}
    </>
  );
}
