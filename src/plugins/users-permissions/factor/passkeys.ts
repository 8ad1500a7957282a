import { randomBytes } from 'node:crypto';
import type * as WebAuthn from '@simplewebauthn/server';
import { lazyBundled } from '../../../config/lazy-require.js';
import { isRecord } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';
import { CHALLENGE_LIFETIME, type ChallengePurpose, type Challenges } from './challenges.js';
import type { Passkey } from './factor.js';

/** Only log-ins with passkeys need it. */
const webAuthn = lazyBundled<typeof WebAuthn>('@simplewebauthn/server');

/** Ed25519, ES256 and RS256: what authenticators make, in the order in which they choose. */
const ALGORITHMS = [-8, -7, -257];
/** Characters of a text in what a browser sends; that of a certificate, which is refused, is longer. */
const MAX_TEXT = 8192;
/** Bytes of the id of a credential, by the specification. */
const MAX_ID = 1023;
const TRANSPORTS: ReadonlySet<unknown> = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);
/**
 * What an attestation object begins with that says nothing of who made the authenticator, in the one form that CTAP 2
 * has for it: `{ fmt: 'none', attStmt: {}, …`. All others have certificates, whose lists of revocations would have to
 * be fetched from addresses that the client chooses.
 */
const NO_ATTESTATION = Buffer.from('a363666d74646e6f6e656761747453746d74a0', 'hex');

type Person = Readonly<{ id: number; username?: unknown }>;

/**
 * Makes and checks passkeys (WebAuthn) for the site of `PUBLIC_URL`: what a request says of its own address is not
 * asked.
 */
export function openPasskeys(publicUrl: string | undefined, challenges: Challenges) {
  const site = siteOf(publicUrl);
  const challengeIn = (purpose: ChallengePurpose, user: number) => {
    let found = '';
    return {
      accept: (challenge: string): boolean => {
        found = challenge;
        return challenges.isValid(purpose, user, challenge);
      },
      /** Once, after all else is right: what was refused for another reason can be sent again. */
      use: async (): Promise<void> => {
        if (!(await challenges.use(found))) throw refusal('its challenge was used before');
      },
    };
  };
  return {
    /** What a browser makes a passkey of; undefined: none can be made at this address. */
    toCreate: async (
      purpose: 'set up' | 'add',
      { id, username }: Person,
      existing: readonly Passkey[],
    ): Promise<object | undefined> =>
      site &&
      webAuthn().generateRegistrationOptions({
        rpName: site.id,
        rpID: site.id,
        userName: String(username),
        userID: new Uint8Array(Buffer.from(`user ${id}`)),
        challenge: new Uint8Array(challenges.issue(purpose, id)),
        timeout: CHALLENGE_LIFETIME,
        attestationType: 'none',
        excludeCredentials: existing.map(descriptorOf),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    /** The passkey that a browser has made. @throws AppError invalidValue */
    readCreated: async (purpose: 'set up' | 'add', user: number, input: unknown, name: string): Promise<Passkey> => {
      const { id, response } = credentialIn(input, ['clientDataJSON', 'attestationObject']);
      const { attestationObject } = response;
      const head = Buffer.from(attestationObject, 'base64url').subarray(0, NO_ATTESTATION.length);
      if (!head.equals(NO_ATTESTATION)) throw refusal('it has an attestation');
      const challenge = challengeIn(purpose, user);
      const { registrationInfo } = await orRefuse(() =>
        webAuthn().verifyRegistrationResponse({
          response: asCredential(id, response),
          expectedChallenge: challenge.accept,
          ...expectedOf(site),
          supportedAlgorithmIDs: ALGORITHMS,
        }),
      );
      if (registrationInfo === undefined) throw refusal('it is not verified');
      const { credential } = registrationInfo;
      if (Buffer.byteLength(credential.id, 'base64url') > MAX_ID) throw refusal('its id is too long');
      await challenge.use();
      return {
        id: randomBytes(8).toString('base64url'),
        name,
        since: new Date().toISOString(),
        credential: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: transportsIn(input),
      };
    },
    /** What a browser asks the passkeys of a user with; undefined: there is none, or none can be asked here. */
    toProve: async (user: number, passkeys: readonly Passkey[]): Promise<object | undefined> =>
      site === undefined || passkeys.length === 0
        ? undefined
        : webAuthn().generateAuthenticationOptions({
            rpID: site.id,
            challenge: new Uint8Array(challenges.issue('prove', user)),
            timeout: CHALLENGE_LIFETIME,
            allowCredentials: passkeys.map(descriptorOf),
            userVerification: 'preferred',
          }),
    /**
     * The passkey of a user that has signed, with its counter from now on. One that goes back is that of a copy.
     * @throws AppError invalidValue
     */
    prove: async (user: number, passkeys: readonly Passkey[], input: unknown): Promise<Passkey> => {
      const { id, response } = credentialIn(input, ['clientDataJSON', 'authenticatorData', 'signature']);
      const passkey = passkeys.find(({ credential }) => credential === id);
      if (passkey === undefined) throw refusal('the user has no such passkey');
      const { credential, publicKey, counter } = passkey;
      const challenge = challengeIn('prove', user);
      const { verified, authenticationInfo } = await orRefuse(() =>
        webAuthn().verifyAuthenticationResponse({
          response: asCredential(id, response),
          expectedChallenge: challenge.accept,
          ...expectedOf(site),
          credential: {
            id: credential,
            publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
            counter,
          },
        }),
      );
      if (!verified) throw refusal('its signature is wrong');
      await challenge.use();
      return { ...passkey, counter: authenticationInfo.newCounter };
    },
  };
}

interface Site {
  readonly id: string;
  readonly origin: string;
}

/** Where browsers know passkeys: at a name, encrypted or on this machine. */
function siteOf(publicUrl: string | undefined): Site | undefined {
  if (publicUrl === undefined) return undefined;
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost');
  return !isAddress && (protocol === 'https:' || isHere) ? { id: hostname, origin } : undefined;
}

/** The password is the other factor, so that a passkey need not ask for a finger or a number as well. */
function expectedOf(site: Site | undefined) {
  if (site === undefined) throw refusal('there are none at the address of this service');
  return { expectedOrigin: site.origin, expectedRPID: site.id, requireUserVerification: false };
}

const descriptorOf = ({ credential, transports }: Passkey) => ({ id: credential, transports: [...transports] });

/** The texts of what a browser sends, and nothing else of it. @throws AppError invalidValue */
function credentialIn<const N extends string>(input: unknown, names: readonly N[]) {
  const { id, response } = isRecord(input) ? input : {};
  const texts = isRecord(response) ? names.map((name) => [name, response[name]] as const) : [];
  const all = [...texts.map(([, text]) => text), id];
  if (texts.length === 0 || !all.every((text) => typeof text === 'string' && text.length <= MAX_TEXT))
    throw refusal('it is none');
  return { id: String(id), response: Object.fromEntries(texts) as Readonly<Record<N, string>> };
}

const asCredential = <R>(id: string, response: R) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  response,
  clientExtensionResults: {},
});

function transportsIn(input: unknown): readonly string[] {
  const response = isRecord(input) ? input['response'] : undefined;
  const transports = isRecord(response) ? response['transports'] : undefined;
  return [...TRANSPORTS].filter((one) => Array.isArray(transports) && transports.includes(one)).map(String);
}

const refusal = (reason: string): AppError => new AppError('wrongPasskey').because(reason);

/** What is wrong with a passkey is a plain error of the library. */
async function orRefuse<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw error instanceof AppError ? error : refusal(String(error));
  }
}
