import type { Services } from '../services.js';
import type { StoredUser } from '../users/find-user.js';

/**
 * Whether a password is that of a user, as code of the project says if it checks passwords; takes the same time without
 * a user.
 */
export async function matchPassword(
  { context: { auth } }: Services,
  password: string,
  user: StoredUser | undefined,
): Promise<boolean> {
  const hash = user?.password ?? undefined;
  const { validatePassword } = auth.code();
  if (validatePassword !== undefined && hash !== undefined) return Boolean(await validatePassword(password, hash));
  return auth.passwords.matches(password, hash);
}
