import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { readRoles } from '../api/roles.js';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import type { ContentType } from '../model/schema.js';
import { Loading, Unread } from '../shell/states.js';
import { useTitle } from '../shell/use-title.js';

/** The roles of users. */
export function RolesPage({ type }: { readonly type: ContentType }) {
  const texts = useTexts();
  const { api } = useSession();
  useTitle(texts.shell.roles);
  const { data, error } = useQuery({ queryKey: ['roles'], queryFn: () => readRoles(api) });
  const isReadable = type.actions.includes('findOne');
  return (
    <section>
      <header className="title">
        <h1>{texts.shell.roles}</h1>
        {type.actions.includes('create') && (
          <Link className="button primary" href="/roles/new">
            {texts.roles.newRole}
          </Link>
        )}
      </header>
      {error !== null && <Unread error={error} />}
      {data === undefined && error === null && <Loading />}
      <div className="scroll" role="region" aria-label={texts.shell.roles} tabIndex={0}>
        <table className="entries defined">
          <thead>
            <tr>
              <th scope="col">{texts.common.name}</th>
              <th scope="col">{texts.common.description}</th>
              <th scope="col">{texts.shell.users}</th>
            </tr>
          </thead>
          <tbody>
            {data?.map(({ id, name, description, nb_users: users }) => (
              <tr key={id}>
                <td className="name">{isReadable ? <Link href={`/roles/${id}`}>{name}</Link> : name}</td>
                <td className="wide">{description}</td>
                <td>{texts.roles.users(users)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
