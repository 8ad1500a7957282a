import type { ContentType } from '../../../content-types/model/types.js';
import type { EntryRequest } from '../../context.js';
import type { CheckVersion } from '../conditional/while-unchanged.js';

interface Common {
  readonly type: ContentType;
  readonly request: EntryRequest;
}

/** One operation of a batch. */
export type Operation =
  /** Later operations name the new entry by `as`. */
  | (Common & { readonly kind: 'create'; readonly as?: string | undefined; readonly data: unknown })
  | (Common & {
      readonly kind: 'update';
      readonly id: number;
      readonly data: unknown;
      readonly check?: CheckVersion | undefined;
    })
  | (Common & { readonly kind: 'delete'; readonly id: number; readonly check?: CheckVersion | undefined });
