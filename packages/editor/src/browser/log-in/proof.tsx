import { useState } from 'react';
import { RequestError } from '../api/api.js';
import { useTexts } from '../language/language.js';
import { AccountField, AccountForm } from '../shell/account-form.js';
import { Dialog } from '../shell/dialog.js';
import { PasskeyButton } from './passkey-button.js';
import { hasPasskeys, signWithPasskey, type ToSign } from './passkeys.js';

/** What the service takes as a proof of the second factor. */
export interface Asked {
  /** An app of the user makes codes. */
  readonly codes?: boolean;
  readonly passkey?: ToSign;
}

/** A code, or what a passkey has signed: a part of a request that needs it. */
export type Proof = Readonly<Record<string, unknown>>;

/** What a refused request asks for; undefined: it was refused for another reason. */
export const askedBy = (error: unknown): Asked | undefined =>
  error instanceof RequestError && error.name === 'SecondFactorNeededError' ? (error.details as Asked) : undefined;

interface Props {
  readonly asked: Asked;
  readonly action: string;
  readonly onProof: (proof: Proof) => Promise<void>;
}

/** Asks for the second factor. */
export function ProofForm({ asked: { codes = true, passkey }, action, onProof }: Props) {
  const texts = useTexts();
  const { secondFactor, passkeys } = texts.account;
  return (
    <>
      {passkey !== undefined && hasPasskeys() && (
        <PasskeyButton
          label={passkeys.use}
          onUse={async () => onProof({ passkey: await signWithPasskey(texts, passkey) })}
        />
      )}
      <AccountForm action={action} onSend={onProof}>
        <AccountField
          name="secondFactor"
          label={codes ? secondFactor.code : secondFactor.recoveryCode}
          type="text"
          complete="one-time-code"
        />
      </AccountForm>
    </>
  );
}

type Send = (proof: Proof) => Promise<void>;

/** Sends what may need a proof of the second factor. Where it does, the dialog asks for it, and sends it again. */
export function useProof() {
  const { secondFactor } = useTexts().account;
  const [waiting, setWaiting] = useState<{ readonly asked: Asked; readonly send: Send }>();
  const prove = async (send: Send): Promise<void> => {
    try {
      await send({});
    } catch (error) {
      const asked = askedBy(error);
      if (asked === undefined) throw error;
      setWaiting({ asked, send });
    }
  };
  const dialog = waiting && (
    <Dialog title={secondFactor.prove} onClose={() => setWaiting(undefined)}>
      <ProofForm
        asked={waiting.asked}
        action={secondFactor.goOn}
        onProof={async (proof) => {
          await waiting.send(proof);
          setWaiting(undefined);
        }}
      />
    </Dialog>
  );
  return { prove, dialog };
}
