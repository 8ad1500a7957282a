/** What code of a project does in place of the service when users are identified and logged in. */
export interface AuthenticationCode {
  /** The token of a log-in. */
  readonly issue?: ((payload: Readonly<Record<string, unknown>>) => unknown) | undefined;
  /** The content of a token. @throws Error for a foreign one */
  readonly verify?: ((token: string) => unknown) | undefined;
  /** The user of a token, with the role that counts; nothing: there is none. */
  readonly fetchAuthenticatedUser?: ((id: unknown) => unknown) | undefined;
  /** Whether a password is that of a user. */
  readonly validatePassword?: ((password: string, hash: string) => unknown) | undefined;
}

/** Code can replace its services while it runs. */
export type FindAuthenticationCode = () => AuthenticationCode;
