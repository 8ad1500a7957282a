import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import { RelativeTime } from '../language/relative-time.js';
import { FactorSetup, type BegunSetup, type SetUpAnswer } from '../log-in/factor-setup.js';
import { createPasskey, hasPasskeys, type ToCreate } from '../log-in/passkeys.js';
import { useProof, type Proof } from '../log-in/proof.js';
import { RecoveryCodes } from '../log-in/recovery-codes.js';
import { AccountField, AccountForm } from '../shell/account-form.js';
import { Dialog } from '../shell/dialog.js';
import { useNotice } from '../shell/notices.js';
import { Loading, Unread } from '../shell/states.js';

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly since: string;
}

interface OwnFactor {
  readonly isSetUp: boolean;
  /** An app makes codes. */
  readonly codes: boolean;
  /** How many are left. */
  readonly recoveryCodes: number;
  readonly passkeys: readonly Passkey[];
}

const PATH = 'auth/second-factor';

/** What a user proves besides the password, and what changes it. */
export function SecondFactor() {
  const { secondFactor: texts } = useTexts().account;
  const { api, start } = useSession();
  const id = useId();
  const [answer, setAnswer] = useState<SetUpAnswer>();
  const { data, error } = useQuery({
    queryKey: ['second-factor'],
    queryFn: async () => (await api.get(PATH)).body as OwnFactor,
    gcTime: 0,
  });
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{texts.title}</h2>
      {error !== null && <Unread error={error} />}
      {data === undefined && error === null && <Loading />}
      {answer !== undefined && <RecoveryCodes codes={answer.recoveryCodes} onKept={() => setAnswer(undefined)} />}
      {answer === undefined && data?.isSetUp === true && <SetUp factor={data} />}
      {answer === undefined && data?.isSetUp === false && (
        <NotSetUp
          onDone={(done) => {
            setAnswer(done);
            // Earlier tokens are not valid any more.
            start(done);
          }}
        />
      )}
    </section>
  );
}

/** The password again, then the setup. */
function NotSetUp({ onDone }: { readonly onDone: (answer: SetUpAnswer) => void }) {
  const { secondFactor: texts, password } = useTexts().account;
  const { anonymous, user } = useSession();
  const [begun, setBegun] = useState<{ readonly begun: BegunSetup; readonly account: Proof }>();
  if (begun !== undefined) return <FactorSetup {...begun} action={texts.begin} onDone={onDone} />;
  return (
    <AccountForm
      action={texts.begin}
      onSend={async (fields) => {
        const account = { ...fields, identifier: user?.username };
        setBegun({ account, begun: (await anonymous.send('POST', PATH, { body: account })).body as BegunSetup });
      }}
    >
      <p>{texts.none}</p>
      <AccountField name="password" label={password} type="password" complete="current-password" />
    </AccountForm>
  );
}

function SetUp({ factor }: { readonly factor: OwnFactor }) {
  const texts = useTexts();
  const { secondFactor, passkeys } = texts.account;
  const { api, start, end } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const { prove, dialog } = useProof();
  const [renamed, setRenamed] = useState<Passkey>();
  const send = async (path: string, body: object) => (await api.send('POST', `${PATH}/${path}`, { body })).body;
  const readAgain = () => queries.invalidateQueries({ queryKey: ['second-factor'] });
  const done = (text: string): void => show({ kind: 'done', text });
  const change = useMutation({
    mutationFn: prove,
    onError: (error) => show({ kind: 'failed', error }),
    onSettled: readAgain,
  });
  const add = (name: string) =>
    prove(async (proof) => {
      const { passkey } = (await send('passkeys', proof)) as { readonly passkey: ToCreate };
      await send('passkeys/confirm', { name, newPasskey: await createPasskey(texts, passkey) });
      done(passkeys.added);
      await readAgain();
    });
  const removeOne = (id: string) => async (proof: Proof) => {
    start(await send(`passkeys/${id}/remove`, proof));
    done(passkeys.removed);
    await readAgain();
  };
  const removeAll = async (proof: Proof): Promise<void> => {
    await send('remove', proof);
    // The token has ended.
    end();
  };
  return (
    <>
      {factor.codes && <p>{secondFactor.byApp}</p>}
      <p className="hint">{secondFactor.left(factor.recoveryCodes)}</p>
      <h3>{passkeys.title}</h3>
      <ul className="sessions">
        {factor.passkeys.map((passkey) => (
          <li key={passkey.id}>
            <span>
              {passkey.name}
              <span className="hint">
                <RelativeTime value={passkey.since} />
              </span>
            </span>
            <span className="actions">
              <button type="button" aria-label={passkeys.renameOne(passkey.name)} onClick={() => setRenamed(passkey)}>
                {passkeys.rename}
              </button>
              {(factor.codes || factor.passkeys.length > 1) && (
                <button
                  type="button"
                  aria-label={passkeys.removeOne(passkey.name)}
                  disabled={change.isPending}
                  onClick={() => change.mutate(removeOne(passkey.id))}
                >
                  {passkeys.remove}
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {hasPasskeys() && (
        <AccountForm key={factor.passkeys.length} action={passkeys.add} onSend={({ name = '' }) => add(name)}>
          <AccountField name="name" label={texts.common.name} type="text" complete="off" />
        </AccountForm>
      )}
      <button type="button" disabled={change.isPending} onClick={() => change.mutate(removeAll)}>
        {secondFactor.remove}
      </button>
      <p className="hint">{secondFactor.aboutRemove}</p>
      {dialog}
      {renamed !== undefined && (
        <Dialog title={passkeys.renameOne(renamed.name)} onClose={() => setRenamed(undefined)}>
          <AccountForm
            action={texts.common.save}
            onSend={async (body) => {
              await api.send('PUT', `${PATH}/passkeys/${renamed.id}`, { body });
              setRenamed(undefined);
              await readAgain();
            }}
          >
            <AccountField name="name" label={texts.common.name} type="text" complete="off" value={renamed.name} />
          </AccountForm>
        </Dialog>
      )}
    </>
  );
}
