import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { writeLocales } from '../api/locales.js';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import { localeName } from '../model/builder/locale-name.js';
import type { Locale } from '../model/schema.js';
import { ConfirmDeletion } from '../shell/deletion/confirm-deletion.js';
import { useNotice } from '../shell/notices.js';
import { useTitle } from '../shell/use-title.js';

type Chosen = readonly Pick<Locale, 'code' | 'isDefault'>[];

interface Props {
  readonly locales: readonly Locale[];
  /** Files of the project declare them, so that nobody can change them here. */
  readonly isDeclared: boolean;
}

/** The languages of entries: unlike definitions they are stored, and each change is made at once. */
export function LocalesPage({ locales, isDeclared }: Props) {
  const { builder: texts, common, code: language } = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const [code, setCode] = useState('');
  const [removed, setRemoved] = useState<Locale>();
  useTitle(texts.locales);
  const change = useMutation({
    mutationFn: (chosen: Chosen) => writeLocales(api, chosen),
    onSuccess: () => show({ kind: 'done', text: common.saved }),
    onError: (cause) => show({ kind: 'failed', error: cause }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['content'] }),
  });
  const add = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    change.mutate([...locales, { code, isDefault: false }], { onSuccess: () => setCode('') });
  };
  const name = localeName(code, language);
  const others = (locale: Locale): Chosen => locales.filter((other) => other !== locale);
  return (
    <section className="bare">
      <header className="title">
        <h1>{texts.locales}</h1>
      </header>
      <p className="hint">{isDeclared ? texts.localesAreDeclared : texts.localesPurpose}</p>
      <ul className="entry-locales">
        {locales.map((locale) => (
          <li key={locale.code}>
            <span className="grow">{locale.name}</span>
            {locale.isDefault ? (
              <span className="tag">{texts.isDefault}</span>
            ) : isDeclared ? undefined : (
              <>
                <button
                  type="button"
                  aria-label={texts.makeDefaultOne(locale.name)}
                  disabled={change.isPending}
                  onClick={() =>
                    change.mutate(locales.map((other) => ({ code: other.code, isDefault: other === locale })))
                  }
                >
                  {texts.makeDefault}
                </button>
                <button
                  type="button"
                  className="danger"
                  aria-label={texts.removeOne(locale.name)}
                  disabled={change.isPending}
                  onClick={() => setRemoved(locale)}
                >
                  {texts.remove}
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
      {!isDeclared && (
        <form className="toolbar" onSubmit={add}>
          <label>
            {texts.localeCode}
            <input
              value={code}
              onChange={({ target }) => setCode(target.value.trim())}
              required
              pattern="[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*"
              autoComplete="off"
              aria-describedby="locale-name"
            />
          </label>
          <span className="hint" id="locale-name" role="status">
            {code !== '' && (name ?? texts.unknownLocale)}
          </span>
          <button type="submit" disabled={change.isPending || name === undefined}>
            {texts.addLocale}
          </button>
        </form>
      )}
      {removed !== undefined && (
        <ConfirmDeletion
          title={texts.askRemoveLocale(removed.name)}
          text={texts.entriesStay}
          keep={common.keepIt}
          action={texts.remove}
          onClose={() => setRemoved(undefined)}
          onDelete={() => change.mutate(others(removed))}
        />
      )}
    </section>
  );
}
