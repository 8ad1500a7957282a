import { lazy, Suspense } from 'react';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import { AccountField, AccountForm } from '../shell/account-form.js';
import { PasskeyButton } from './passkey-button.js';
import { createPasskey, hasPasskeys, type ToCreate } from './passkeys.js';

/** What the service begins the setup of a second factor with. */
export interface BegunSetup {
  readonly secret: string;
  readonly address: string;
  readonly passkey?: ToCreate;
}

/** The answer to a setup is that of a log-in, with codes that are shown once. */
export interface SetUpAnswer {
  readonly recoveryCodes: readonly string[];
}

interface Props {
  readonly begun: BegunSetup;
  /** The name and the password of the user. */
  readonly account: Readonly<Record<string, unknown>>;
  readonly action: string;
  readonly onDone: (answer: SetUpAnswer) => void;
}

/** Most log-ins draw none. */
const PictureOfKey = lazy(async () => ({ default: (await import('./picture-of-key.js')).PictureOfKey }));

/** Sets a second factor up: a passkey, or codes of an app. */
export function FactorSetup({ begun, account, action, onDone }: Props) {
  const texts = useTexts();
  const { secondFactor, passkeys } = texts.account;
  const { anonymous } = useSession();
  const { secret, address, passkey } = begun;
  const confirm = async (proof: object): Promise<void> => {
    const { body } = await anonymous.send('POST', 'auth/second-factor/confirm', { body: { ...account, ...proof } });
    onDone(body as SetUpAnswer);
  };
  return (
    <>
      {passkey !== undefined && hasPasskeys() && (
        <>
          <p>{passkeys.about}</p>
          <PasskeyButton
            label={passkeys.use}
            onUse={async () => confirm({ newPasskey: await createPasskey(texts, passkey) })}
          />
        </>
      )}
      <AccountForm action={action} onSend={confirm}>
        <p>{secondFactor.setUp}</p>
        <Suspense fallback={<div className="code-picture" aria-busy />}>
          <PictureOfKey address={address} />
        </Suspense>
        <p>
          {secondFactor.key}: <code>{secret}</code>
        </p>
        <p>
          <a href={address}>{secondFactor.open}</a>
        </p>
        <AccountField name="secondFactor" label={secondFactor.firstCode} type="text" complete="one-time-code" />
      </AccountForm>
    </>
  );
}
