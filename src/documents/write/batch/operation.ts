import type { ContentType } from '../../../content-types/model/types.js';
import type { EntryRequest } from '../../context.js';
import type { CheckVersion } from '../conditional/while-unchanged.js';

interface Common {
  readonly type: ContentType;
  readonly request: EntryRequest;
}

export type Operation =
  | (Common & {
      readonly kind: 'create';
      /** Later operations name the new entry by it. */
      readonly as?: string | undefined;
      /** The entry of which the new one is a localization, a draft unless the data has a publication time: its id, or `$` and its name. */
      readonly localizationOf?: number | string | undefined;
      readonly data: unknown;
    })
  | (Common & {
      readonly kind: 'update';
      readonly id: number;
      readonly data: unknown;
      readonly check?: CheckVersion | undefined;
    })
  | (Common & { readonly kind: 'delete'; readonly id: number; readonly check?: CheckVersion | undefined });
