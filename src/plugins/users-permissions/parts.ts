import type { Caller } from '../../documents/caller.js';
import type { ContentType } from '../../content-types/types.js';
import type { PluginContext } from '../plugin.js';
import type { Attempts } from './attempts.js';
import type { Background } from './background.js';
import type { Mailer } from './mailer.js';
import type { People } from './people.js';
import type { Providers } from './providers/providers.js';
import type { Settings } from './settings.js';
import type { WebTokens } from './web-tokens.js';

/** What the operations of this plugin work with. */
export interface Parts {
  readonly context: PluginContext;
  readonly settings: Settings;
  /** The content type of users. */
  readonly userType: ContentType;
  readonly tokens: WebTokens;
  readonly people: People;
  readonly attempts: Attempts;
  readonly mailer: Mailer;
  readonly providers: Providers;
  readonly background: Background;
  /** A one-time code as it is stored. */
  readonly hashCode: (code: string) => string;
}

/** Who asks for an operation, and from where. */
export interface Asker {
  readonly caller: Caller;
  /** The network address, for rate limits. */
  readonly address: string;
}

export type Data = Readonly<Record<string, unknown>>;
