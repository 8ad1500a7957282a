import { Link } from 'wouter';
import { newAddress } from '../api/entries.js';
import { useTexts } from '../language/language.js';
import { defaultLocale, typeOf, USER, type Content, type ContentType } from '../model/schema.js';

/** What a newcomer can do first, as far as they may: nothing is written yet. */
export function FirstSteps({ content, types }: { readonly content: Content; readonly types: readonly ContentType[] }) {
  const texts = useTexts().home.first;
  const users = typeOf(content, USER);
  const created = beginningOf(types.filter(({ actions }) => actions.includes('create')));
  const steps = [
    ...(content.definitions.build ? [{ to: '/types', ...texts.types }] : []),
    ...(created === undefined
      ? []
      : [
          {
            to: newAddress(created, defaultLocale(content)),
            label: texts.entry(created.entryName),
            purpose: texts.entryPurpose,
          },
        ]),
    ...(content.files.upload ? [{ to: '/files', ...texts.files }] : []),
    ...(users?.actions.includes('create') === true ? [{ to: `/content/${users.path}/new`, ...texts.users }] : []),
  ];
  if (steps.length === 0) return undefined;
  return (
    <section className="first-steps card">
      <h2>{texts.title}</h2>
      <ol>
        {steps.map(({ to, label, purpose }) => (
          <li key={to}>
            <Link href={to}>{label}</Link>
            <p className="hint">{purpose}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The type to begin with: most others lead to it, and it leads to few. */
function beginningOf(types: readonly ContentType[]): ContentType | undefined {
  const leadsTo = ({ attributes }: ContentType): readonly string[] =>
    attributes.flatMap((attribute) =>
      attribute.type === 'relation' && attribute.inverse !== true ? attribute.targets : [],
    );
  const weight = (type: ContentType): number =>
    types.filter((other) => other !== type && leadsTo(other).includes(type.uid)).length - leadsTo(type).length;
  return types.toSorted((left, right) => weight(right) - weight(left))[0];
}
