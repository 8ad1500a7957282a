import type JsonWebToken from 'jsonwebtoken';
import { lazyRequire } from '../../../config/lazy-require.js';
import { AppError } from '../../../errors/app-error.js';

/** Its 66 files would take a tenth of a start. */
const jwt = lazyRequire<typeof JsonWebToken>('jsonwebtoken');

/** The purpose of these tokens. They have no `id`, so that they cannot authenticate a user. */
const claims = { audience: 'content-service:preview', algorithm: 'HS256' } as const;

/** The target of a link: an entry by its id, or without an id the entry of a single type in each locale. */
interface Previewed {
  readonly uid: string;
  readonly id?: number | undefined;
}

const subjectOf = ({ uid, id }: Previewed): string => (id === undefined ? uid : `${uid}:${id}`);

/** A token that shows an entry, also as a draft, for some seconds. */
export const signPreview = (secret: string, entry: Previewed, seconds: number): string =>
  jwt().sign({}, secret, { ...claims, subject: subjectOf(entry), expiresIn: seconds });

/** Whether the preview link of a request shows this entry. */
export type IsPreviewed = (entry: Previewed) => boolean;

/** Reads the token of a preview link. @throws AppError unauthorized for a token that is forged or expired */
export type ReadPreview = (token: unknown) => IsPreviewed;

export const invalidPreview = (): AppError => new AppError('unauthorized', 'Invalid or expired preview link');

export const createReadPreview =
  (secret: string): ReadPreview =>
  (token) => {
    const { audience, algorithm } = claims;
    try {
      const { sub } = jwt().verify(String(token), secret, { audience, algorithms: [algorithm] });
      return (entry) => sub === subjectOf(entry);
    } catch {
      throw invalidPreview();
    }
  };
