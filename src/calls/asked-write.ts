import type { ContentType } from '../content-types/model/types.js';
import type { NotedResponse } from '../plugins/contract/response-notes.js';
import type { WriteTerms } from '../plugins/contract/write-terms.js';
import type { QueryInput } from '../query/parse/input.js';
import type { Key } from '../query/parse/parse-key.js';
import type { ReceivedBody } from './body.js';

/** A request to write, as the door parses it, whether a client sent it or code of a project calls a core action. */
export interface AskedWrite extends ReceivedBody {
  readonly type: ContentType;
  /** What the address names: an id, a key, or nothing of a single type. */
  readonly params: Partial<Key> & { readonly id?: string };
  readonly query: QueryInput;
  readonly terms: WriteTerms;
  /** Undefined where code of a project calls without a request. */
  readonly response: NotedResponse | undefined;
}
