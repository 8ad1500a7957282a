/** Who asks, with their rights loaded: whatever is decided about them later needs no look-up. */
export interface Caller {
  readonly kind: 'public' | 'user' | 'token' | 'system';
  /** May they do this? Actions are named as in Strapi v4, e.g. `api::article.article.find`. */
  readonly may: (action: string) => boolean;
  /** Of a user: their id. */
  readonly user?: number;
}

/** Our own code: may do everything. */
export const system: Caller = { kind: 'system', may: () => true };

/** Nobody that anyone knows: may do nothing. */
export const nobody: Caller = { kind: 'public', may: () => false };
