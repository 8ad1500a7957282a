import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { ExplainedError } from '../language/message-of.js';
import type { Texts } from '../language/texts.js';

/** What the service says that a browser makes a passkey of. */
export type ToCreate = Parameters<typeof startRegistration>[0]['optionsJSON'];
/** What the service says that a passkey signs. */
export type ToSign = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Whether this browser has passkeys: on pages that are not encrypted it has none. */
export const hasPasskeys = (): boolean => browserSupportsWebAuthn();

/** Asks the user for a finger, a number or a key. @throws ExplainedError */
export const createPasskey = (texts: Texts, optionsJSON: ToCreate): Promise<object> =>
  explained(texts, () => startRegistration({ optionsJSON }));

/** As `createPasskey`, with a passkey that is there. @throws ExplainedError */
export const signWithPasskey = (texts: Texts, optionsJSON: ToSign): Promise<object> =>
  explained(texts, () => startAuthentication({ optionsJSON }));

async function explained<T>({ account }: Texts, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { notDone, known, wrongAddress } = account.passkeys;
    const reasons: Readonly<Record<string, string>> = { InvalidStateError: known, SecurityError: wrongAddress };
    throw new ExplainedError(reasons[(error as Error).name] ?? notDone);
  }
}
