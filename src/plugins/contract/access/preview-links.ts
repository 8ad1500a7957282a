import type JsonWebToken from 'jsonwebtoken';
import { lazyRequire } from '../../../config/lazy-require.js';
import { AppError } from '../../../errors/app-error.js';

/** Its 66 files would take a tenth of a start. */
const jwt = lazyRequire<typeof JsonWebToken>('jsonwebtoken');

/** What these tokens are for. They have no `id`, so that they cannot log anyone in. */
const claims = { audience: 'content-service:preview', algorithm: 'HS256' } as const;

/** Names the entry of a link. */
const subjectOf = (uid: string, id: number): string => `${uid}:${id}`;

/** A token that shows one entry, also as a draft, for some seconds. */
export const signPreview = (
  secret: string,
  entry: { readonly uid: string; readonly id: number },
  seconds: number,
): string => jwt().sign({}, secret, { ...claims, subject: subjectOf(entry.uid, entry.id), expiresIn: seconds });

/** Checks the token of a preview link. */
export type CheckPreview = (token: unknown, uid: string, id: number) => void;

/** @throws AppError unauthorized for a token that is forged, expired or of another entry */
export const createCheckPreview =
  (secret: string): CheckPreview =>
  (token, uid, id) => {
    const { audience, algorithm } = claims;
    try {
      jwt().verify(String(token), secret, { audience, algorithms: [algorithm], subject: subjectOf(uid, id) });
    } catch {
      throw new AppError('unauthorized', 'Invalid or expired preview link');
    }
  };
