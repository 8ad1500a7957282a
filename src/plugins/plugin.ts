import type { ContentTypeDefinition, Defined } from '../content-types/definition.js';
import type { Interceptor } from '../documents/interceptors.js';

/** What a plugin may add to the service. */
export interface Plugin {
  readonly name: string;
  /** Content types of its own, by uids that begin with `plugin::<name>.`. */
  readonly contentTypes?: readonly Defined<ContentTypeDefinition>[];
  /** What it does to queries before they are compiled. */
  readonly interceptors?: readonly Interceptor[];
}
