import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../api/session.js';
import { readTokens, revokeToken, type ApiToken } from '../api/tokens.js';
import { useTexts } from '../language/language.js';
import { timeOf } from '../language/time-of.js';
import type { Content } from '../model/schema.js';
import { ConfirmDeletion } from '../shell/deletion/confirm-deletion.js';
import { useNotice } from '../shell/notices.js';
import { Empty, Loading, Unread } from '../shell/states.js';
import { useTitle } from '../shell/use-title.js';
import { TokenDialog } from './token-dialog.js';

/** The keys of programs. */
export function TokensPage({ content }: { readonly content: Content }) {
  const texts = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const [isAdding, setAdding] = useState(false);
  const [revoked, setRevoked] = useState<ApiToken>();
  useTitle(texts.shell.tokens);
  const { data, error } = useQuery({ queryKey: ['tokens'], queryFn: () => readTokens(api) });
  const revoke = useMutation({
    mutationFn: ({ id }: ApiToken) => revokeToken(api, id),
    onSuccess: () => show({ kind: 'done', text: texts.tokens.revoked }),
    onError: (cause) => show({ kind: 'failed', error: cause }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tokens'] }),
  });
  return (
    <section>
      <header className="title">
        <h1>{texts.shell.tokens}</h1>
        {content.tokens.create && (
          <button type="button" className="button primary" onClick={() => setAdding(true)}>
            {texts.tokens.newToken}
          </button>
        )}
      </header>
      <p className="hint">{texts.tokens.purpose}</p>
      {error !== null && <Unread error={error} />}
      {data === undefined && error === null && <Loading />}
      {data?.length === 0 && <Empty icon={KeyRound} title={texts.tokens.none} />}
      {data !== undefined && data.length > 0 && (
        <div className="scroll" role="region" aria-label={texts.shell.tokens} tabIndex={0}>
          <table className="entries defined">
            <thead>
              <tr>
                <th scope="col">{texts.common.name}</th>
                <th scope="col">{texts.common.description}</th>
                <th scope="col">{texts.roles.permissions}</th>
                <th scope="col">{texts.tokens.expires}</th>
                {content.tokens.delete && <th scope="col">{texts.tokens.revoke}</th>}
              </tr>
            </thead>
            <tbody>
              {data.map((token) => (
                <tr key={token.id}>
                  <td className="name">{token.name}</td>
                  <td className="wide">{token.description}</td>
                  <td className="wide">
                    {token.type === 'custom' ? token.permissions?.join(', ') : texts.tokens.types[token.type]}
                  </td>
                  <td data-label={texts.tokens.expires}>
                    {token.expiresAt === null ? texts.tokens.never : timeOf(texts, token.expiresAt)}
                  </td>
                  {content.tokens.delete && (
                    <td>
                      <button
                        type="button"
                        className="danger"
                        aria-label={texts.tokens.revokeOne(token.name)}
                        disabled={revoke.isPending}
                        onClick={() => setRevoked(token)}
                      >
                        {texts.tokens.revoke}
                      </button>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isAdding && <TokenDialog content={content} onClose={() => setAdding(false)} />}
      {revoked !== undefined && (
        <ConfirmDeletion
          title={texts.tokens.askRevoke(revoked.name)}
          text={texts.tokens.programsStop}
          keep={texts.common.keepIt}
          action={texts.tokens.revoke}
          onClose={() => setRevoked(undefined)}
          onDelete={() => revoke.mutate(revoked)}
        />
      )}
    </section>
  );
}
