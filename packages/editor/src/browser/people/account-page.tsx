import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useSession } from '../api/session.js';
import { LanguageChoice } from '../language/language-choice.js';
import { useTexts } from '../language/language.js';
import { useProof } from '../log-in/proof.js';
import { typeOf, USER, type Content } from '../model/schema.js';
import { AccountField, AccountForm, NewPasswordFields } from '../shell/account-form.js';
import { Choice } from '../inputs/choice.js';
import { useNotice } from '../shell/notices.js';
import { Loading, Unread } from '../shell/states.js';
import { isTheme, readTheme, themes } from '../shell/theme.js';
import { useTitle } from '../shell/use-title.js';
import { SecondFactor } from './second-factor.js';
import { Sessions } from './sessions.js';
import { useAppearance } from './use-appearance.js';

/** What users may change of their own account, and what this browser remembers for them. */
export function AccountPage({ content }: { readonly content: Content }) {
  const texts = useTexts();
  useTitle(texts.account.title);
  return (
    <section>
      <header className="title">
        <h1>{texts.account.title}</h1>
      </header>
      <div className="account">
        {content.account.me && <Person content={content} />}
        {content.account.changePassword && <Password />}
        {content.account.changePassword && <SecondFactor />}
        <Sessions />
        <Appearance content={content} />
      </div>
    </section>
  );
}

interface Me {
  readonly username?: string;
  readonly email?: string;
}

function Person({ content }: { readonly content: Content }) {
  const texts = useTexts();
  const { api, user, rename } = useSession();
  const show = useNotice();
  const id = useId();
  const { data, error } = useQuery({
    queryKey: ['me'],
    queryFn: async () => (await api.get('users/me')).body as Me,
    gcTime: 0,
  });
  const mayChange = (name: keyof Me): boolean =>
    typeOf(content, USER)?.attributes.some((attribute) => attribute.name === name && attribute.update) === true;
  const isReadOnly = !mayChange('username') && !mayChange('email');
  const field = (name: keyof Me, type: string) =>
    data?.[name] === undefined ? undefined : (
      <AccountField
        name={name}
        label={texts.account[name]}
        type={type}
        complete={name}
        value={data[name]}
        disabled={!mayChange(name)}
      />
    );
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{texts.account.ofUser}</h2>
      {error !== null && <Unread error={error} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && (
        <AccountForm
          action={isReadOnly ? undefined : texts.common.save}
          onSend={async (fields) => {
            const { body } = await api.send('PUT', `users/${user?.id}`, { body: fields });
            const { username } = body as Me;
            if (username !== undefined) rename(username);
            show({ kind: 'done', text: texts.common.saved });
          }}
        >
          {field('username', 'text')}
          {field('email', 'email')}
          {isReadOnly && <p className="hint">{texts.account.onlyRead}</p>}
        </AccountForm>
      )}
    </section>
  );
}

function Password() {
  const texts = useTexts().account;
  const { api, start } = useSession();
  const show = useNotice();
  const id = useId();
  const { prove, dialog } = useProof();
  /** Sent forms begin again, empty. */
  const [sent, setSent] = useState(0);
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{texts.changePassword}</h2>
      <AccountForm
        key={sent}
        action={texts.changePassword}
        onSend={(fields) =>
          prove(async (proof) => {
            // Earlier tokens are not valid any more.
            start((await api.send('POST', 'auth/change-password', { body: { ...fields, ...proof } })).body);
            setSent(sent + 1);
            show({ kind: 'done', text: texts.passwordChanged });
          })
        }
      >
        <AccountField
          name="currentPassword"
          label={texts.currentPassword}
          type="password"
          complete="current-password"
        />
        <NewPasswordFields />
      </AccountForm>
      {dialog}
    </section>
  );
}

function Appearance({ content }: { readonly content: Content }) {
  const texts = useTexts();
  const id = useId();
  const { onTheme, onLanguage } = useAppearance();
  const { theme } = content.account.preferences;
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{texts.account.appearance}</h2>
      <form>
        <Choice
          label={texts.account.colors}
          value={isTheme(theme) ? theme : readTheme()}
          onChange={(value) => onTheme(isTheme(value) ? value : 'system')}
          options={themes.map((name) => ({ value: name, label: texts.account.themes[name] }))}
        />
        <LanguageChoice isLabelled onChoose={onLanguage} />
        <p className="hint">{texts.list.columnsAreKept}</p>
      </form>
    </section>
  );
}
