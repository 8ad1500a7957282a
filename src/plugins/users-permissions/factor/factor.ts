import { isRecord, type Data } from '../../../config/record.js';

/** What is stored of the second factor of a user; nothing of it leaves the service. */
export interface Factor {
  /** Of an app of codes, sealed; absent: the user has passkeys only. */
  readonly secret?: string;
  /** The hashes of the recovery codes that are left. */
  readonly recovery: readonly string[];
  readonly passkeys?: readonly Passkey[];
}

export interface Passkey {
  /** By which its user tells it from others: nothing of the key. */
  readonly id: string;
  readonly name: string;
  /** ISO 8601. */
  readonly since: string;
  /** The id of the credential, and its public key in the form of COSE: base64url. */
  readonly credential: string;
  readonly publicKey: string;
  /** How often it has signed, as it says itself; 0: it does not count. */
  readonly counter: number;
  /** How browsers reach it. */
  readonly transports: readonly string[];
}

/** What proved who a user is, besides the password. */
export type Proof = 'code' | 'recovery code' | 'passkey';

/** What proved who logs in. */
export interface Means {
  /** `link`: the code of one, by mail or in the log. `token`: that of a log-in before. */
  readonly first: 'password' | 'link' | 'token' | 'provider';
  /** The login provider that has identified the user. */
  readonly provider?: string;
  readonly proof?: Proof | undefined;
}

/** As a record of the log-in names them. */
export const factorsIn = ({ first, provider, proof }: Means): readonly string[] => [
  provider === undefined ? first : `${first} ${provider}`,
  ...(proof === undefined ? [] : [proof]),
];

/** What a user has stored; undefined: they log in with a password alone. */
export function factorOf(user: Data): Factor | undefined {
  const { secondFactor } = user;
  return isRecord(secondFactor) ? (secondFactor as unknown as Factor) : undefined;
}

export const passkeysOf = (factor: Factor | undefined): readonly Passkey[] => factor?.passkeys ?? [];
