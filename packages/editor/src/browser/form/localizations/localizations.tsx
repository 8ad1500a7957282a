import { Link } from 'wouter';
import { formAddress, type Entry } from '../../api/entries.js';
import { useTexts } from '../../language/language.js';
import type { Content, ContentType } from '../../model/schema.js';

export interface Localization {
  readonly id: number;
  readonly locale: string;
}

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  /** Of a new localization: the entry that it translates. */
  readonly entry: Entry | undefined;
  readonly isNew: boolean;
  readonly locale: string | undefined;
  /** The localization beside the form. */
  readonly beside: Localization | undefined;
  readonly onCompare: (localization: Localization | undefined) => void;
}

/** The locales of an entry: links to its other localizations, and to forms for those that are missing. */
export function Localizations({ content, type, entry, isNew, locale, beside, onCompare }: Props) {
  const texts = useTexts().locales;
  const others = localizationsOf(entry, isNew);
  const isSingle = type.kind === 'singleType';
  const mayAdd = !isNew && type.actions.includes('createLocalization');
  return (
    <section>
      <h2>{texts.title}</h2>
      <ul className="locales">
        {content.locales.map(({ code, name }) => {
          const other = others.find((localization) => localization.locale === code);
          const target = `${formAddress(type, other?.id)}${isSingle ? `?locale=${code}` : ''}`;
          const added = `/content/${type.path}${isSingle ? '' : '/new'}?locale=${code}&source=${entry?.id}&from=${locale}`;
          const isBeside = beside?.locale === code;
          return (
            <li key={code} className="row">
              {code === locale ? (
                <strong>{name}</strong>
              ) : other !== undefined ? (
                <>
                  <Link href={target}>{name}</Link>
                  {!isNew && (
                    <button
                      type="button"
                      className="quiet"
                      aria-pressed={isBeside}
                      aria-label={texts.showBeside(name)}
                      onClick={() => onCompare(isBeside ? undefined : other)}
                    >
                      {texts.beside}
                    </button>
                  )}
                </>
              ) : mayAdd ? (
                <Link href={added}>{texts.translate(name)}</Link>
              ) : (
                <span className="quiet-text">{texts.none(name)}</span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** @param isSource it is the entry that a new one translates */
export function localizationsOf(entry: Entry | undefined, isSource: boolean): readonly Localization[] {
  const related = entry?.attributes['localizations'] as { readonly data?: readonly Entry[] } | undefined;
  const own = isSource && entry !== undefined ? [entry] : [];
  return [...own, ...(related?.data ?? [])].map(localizationOf);
}

export const localizationOf = ({ id, attributes }: Entry): Localization => ({
  id,
  locale: String(attributes['locale']),
});
