import { useState } from 'react';
import { Route, Switch, useSearch } from 'wouter';
import { useContent, useSession } from '../api/session.js';
import { HomePage } from '../home/home-page.js';
import { ListPage } from '../list/list-page.js';
import { TaskProvider } from '../list/several/use-tasks.js';
import { isListed, ROLE, typeOf, type Content, type ContentType } from '../model/schema.js';
import { CommandProvider } from './commands/commands.js';
import { Dialog } from './dialog.js';
import { Layout } from './layout.js';
import { FirstUserPage, ForgottenPage, InvitedPage, LogInForm, LogInPage, ResetPage } from './log-in.js';
import { Returned, RETURNED } from '../log-in/providers.js';
import { Missing } from './missing.js';
import { useNotice } from './notices.js';
import { pageOf } from './page-of.js';
import { useTexts } from '../language/language.js';
import { Loading, Unread } from './states.js';

// What the first list needs is loaded at once, and other pages when they are opened.
const [AccountPage] = pageOf(async () => (await import('../people/account-page.js')).AccountPage);
const [AuditPage] = pageOf(async () => (await import('../audit/audit-page.js')).AuditPage);
const [BuilderPages] = pageOf(async () => (await import('../builder/builder-pages.js')).BuilderPages);
const [EntryPage, loadEntryPage] = pageOf(async () => (await import('../form/entry-page.js')).EntryPage);
const [LibraryPage] = pageOf(async () => (await import('../files/library-page.js')).LibraryPage);
const [LocalesPage] = pageOf(async () => (await import('../builder/locales-page.js')).LocalesPage);
const [RolePage] = pageOf(async () => (await import('../people/role-page.js')).RolePage);
const [RolesPage] = pageOf(async () => (await import('../people/roles-page.js')).RolesPage);
const [TrashPage] = pageOf(async () => (await import('../trash/trash-page.js')).TrashPage);
const [FileTrashPage] = pageOf(async () => (await import('../trash/file-trash-page.js')).FileTrashPage);
const [TokensPage] = pageOf(async () => (await import('../people/tokens-page.js')).TokensPage);

export function App() {
  const { user } = useSession();
  const show = useNotice();
  const [refusal, setRefusal] = useState<string>();
  const returned = new URLSearchParams(useSearch()).get(RETURNED);
  const refuse = (reason: string): void => {
    setRefusal(reason);
    if (user !== undefined) show({ kind: 'failed', text: reason });
  };
  if (returned !== null) return <Returned provider={returned} onRefused={refuse} />;
  return (
    <Switch>
      <Route path="/account/forgotten">
        <ForgottenPage />
      </Route>
      <Route path="/account/first">
        <FirstUserPage />
      </Route>
      <Route path="/account/invited">
        <InvitedPage />
      </Route>
      <Route path="/account/reset">
        <ResetPage />
      </Route>
      <Route>{user === undefined ? <LogInPage refusal={refusal} /> : <Workspace key={user.id} />}</Route>
    </Switch>
  );
}

/** The pages of a user who is logged in. */
function Workspace() {
  const texts = useTexts();
  const { data: content, error } = useContent();
  const { isEnded } = useSession();
  return (
    <>
      {content !== undefined && (
        <CommandProvider>
          <Pages content={content} />
        </CommandProvider>
      )}
      {content === undefined && (
        <main className={error === null ? 'begin' : 'card narrow'}>
          {error === null ? <Loading /> : <Unread error={error} />}
        </main>
      )}
      {isEnded && (
        <Dialog title={texts.account.logInAgain}>
          <p>{texts.account.hasEnded}</p>
          <LogInForm isOver />
        </Dialog>
      )}
    </>
  );
}

function Pages({ content }: { readonly content: Content }) {
  const find = (path: string): ContentType | undefined =>
    content.contentTypes.find((type) => type.path === path && isListed(type));
  const roles = typeOf(content, ROLE);
  return (
    <Layout content={content}>
      <TaskProvider content={content}>
        <Switch>
          <Route path="/">
            <HomePage content={content} />
          </Route>
          <Route path="/files">{content.files.find ? <LibraryPage content={content} /> : <Missing />}</Route>
          <Route path="/files/trash">
            {content.files.trash === undefined ? <Missing /> : <FileTrashPage content={content} />}
          </Route>
          <Route path="/roles">{roles === undefined ? <Missing /> : <RolesPage type={roles} />}</Route>
          <Route path="/roles/:id">
            {({ id }) =>
              roles !== undefined && isIdOrNew(id) ? (
                <RolePage key={id} content={content} type={roles} id={idOf(id)} />
              ) : (
                <Missing />
              )
            }
          </Route>
          <Route path="/tokens">{content.tokens.find ? <TokensPage content={content} /> : <Missing />}</Route>
          <Route path="/audit">{content.readsAudit ? <AuditPage content={content} /> : <Missing />}</Route>
          <Route path="/account">
            <AccountPage content={content} />
          </Route>
          <Route path="/types/:uid?">
            {content.definitions.find ? <BuilderPages content={content} /> : <Missing />}
          </Route>
          <Route path="/locales">
            {content.replacesLocales ? (
              <LocalesPage locales={content.locales} isDeclared={content.declaresLocales} />
            ) : (
              <Missing />
            )}
          </Route>
          <Route path="/content/:path">
            {({ path }) => {
              const type = find(path);
              if (type === undefined) return <Missing />;
              return type.kind === 'singleType' ? (
                <EntryPage content={content} type={type} id={undefined} />
              ) : (
                <ListPage key={path} content={content} type={type} onShown={prepareForm} />
              );
            }}
          </Route>
          <Route path="/content/:path/trash">
            {({ path }) => {
              const type = find(path);
              return type?.trash === undefined ? <Missing /> : <TrashPage key={path} content={content} type={type} />;
            }}
          </Route>
          <Route path="/content/:path/:id">
            {({ path, id }) => {
              const type = find(path);
              if (type === undefined || !isIdOrNew(id)) return <Missing />;
              return <EntryPage content={content} type={type} id={idOf(id)} />;
            }}
          </Route>
          <Route>
            <Missing />
          </Route>
        </Switch>
      </TaskProvider>
    </Layout>
  );
}

const isIdOrNew = (text: string): boolean => /^(?:\d+|new)$/.test(text);
/** It is the page that is opened next. Where it cannot be loaded now, it will be when it is opened. */
const prepareForm = (): void => void loadEntryPage().catch(() => undefined);
const idOf = (text: string): number | undefined => (text === 'new' ? undefined : Number(text));
