import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** What the service asks a browser for, as far as an authenticator looks at it. */
interface Asked {
  readonly challenge: string;
}

/** What a site or a thief can do wrong. */
export interface Wrong {
  readonly origin?: string;
  readonly rpId?: string;
  /** How often it says that it has signed. */
  readonly counter?: number;
  readonly challenge?: string;
  /** Nobody touched it. */
  readonly isAlone?: boolean;
  /** The first bytes of an attestation object, in place of those that say nothing of its maker. */
  readonly attestation?: Buffer;
}

const PRESENT = 1;
const HAS_KEY = 0x40;
const base64 = (bytes: Buffer): string => bytes.toString('base64url');
const digest = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();

/** Of CBOR: 32 bytes, and text of at most 23. */
const bytes32 = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0x58, 32]), bytes]);
const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
const noAttestation = Buffer.concat([
  Buffer.from([0xa3]),
  ...['fmt', 'none', 'attStmt'].map(text),
  Buffer.from([0xa0]),
  text('authData'),
]);

/**
 * A passkey in software, with a key of its own. Its answers are those that a browser sends.
 * @param site where it is used
 */
export function createAuthenticator({ origin, rpId }: { readonly origin: string; readonly rpId: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  // ES256 on P-256, as COSE writes it.
  const key = Buffer.concat([
    Buffer.from('a5010203262001', 'hex'),
    ...(
      [
        ['21', x],
        ['22', y],
      ] as const
    ).map(([label, value]) => Buffer.concat([Buffer.from(label, 'hex'), bytes32(Buffer.from(value, 'base64url'))])),
  ]);
  let signed = 0;
  const clientData = (type: string, { challenge }: Asked, wrong: Wrong): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge: wrong.challenge ?? challenge, origin: wrong.origin ?? origin }));
  const authenticatorData = (flags: number, wrong: Wrong): Buffer => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(wrong.counter ?? signed);
    const present = wrong.isAlone === true ? 0 : PRESENT;
    return Buffer.concat([digest(wrong.rpId ?? rpId), Buffer.from([flags | present]), counter]);
  };
  const answer = (response: Readonly<Record<string, string | readonly string[]>>) => ({
    id: base64(id),
    rawId: base64(id),
    type: 'public-key',
    response,
    clientExtensionResults: {},
  });
  return {
    create: (asked: Asked, wrong: Wrong = {}) => {
      const length = Buffer.from([0, id.length]);
      const data = Buffer.concat([authenticatorData(HAS_KEY, wrong), Buffer.alloc(16), length, id, key]);
      const head = wrong.attestation ?? noAttestation;
      return answer({
        clientDataJSON: base64(clientData('webauthn.create', asked, wrong)),
        attestationObject: base64(Buffer.concat([head, Buffer.from([0x58, data.length]), data])),
        transports: ['internal'],
      });
    },
    sign: (asked: Asked, wrong: Wrong = {}) => {
      signed += 1;
      const data = authenticatorData(0, wrong);
      const client = clientData('webauthn.get', asked, wrong);
      return answer({
        clientDataJSON: base64(client),
        authenticatorData: base64(data),
        signature: base64(sign('sha256', Buffer.concat([data, digest(client)]), privateKey)),
      });
    },
  };
}
