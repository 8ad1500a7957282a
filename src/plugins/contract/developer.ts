import type { Config } from '../../config/config.js';
import type { Caller } from '../../documents/caller.js';
import { isLocalRequest, type SentFrom } from './http/local-request.js';
import type { Request } from './http/messages.js';

/** The actions of the routes that describe all content types and components, with attributes that are private. */
export const schemaActions = ['content-types.getContentTypes', 'components.getComponents'].map(
  (name) => `plugin::content-type-builder.${name}`,
);

/** The action that lets a role replace the locales everywhere. */
export const REPLACE_LOCALES = 'plugin::i18n.locales.updateLocales';

/** The route of the definition files, which there is in development only. */
export const DEFINITIONS_PATH = '/content-type-builder/definitions';

/** Whether a request comes from this machine, in development. */
export const isLocalDevelopment = (environment: Config['environment'], message: SentFrom): boolean =>
  environment === 'development' && isLocalRequest(message);

/**
 * Whether the caller develops the project on this machine: in development, logged in, from this machine, and not sent
 * by a page of another origin that is open in a browser here. A page whose name was bound to this machine names itself
 * in `Host`.
 */
export const isDeveloper = (environment: Config['environment'], { caller, message }: DeveloperRequest): boolean =>
  isLocalDevelopment(environment, message) && caller.kind !== 'public' && isOwnOrigin(message.headers);

/**
 * Whether the caller may replace the locales: with the permission everywhere, and without it who develops the project.
 */
export const mayReplaceLocales = (environment: Config['environment'], sent: DeveloperRequest): boolean =>
  sent.caller.may(REPLACE_LOCALES) || isDeveloper(environment, sent);

interface DeveloperRequest {
  readonly caller: Caller;
  readonly message: Pick<Request, 'headers' | 'httpVersion' | 'socket'>;
}

/** Programs send neither of these headers, and browsers always one of them. */
function isOwnOrigin({ origin, host = '', 'sec-fetch-site': site }: Request['headers']): boolean {
  const isOwn = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host.toLowerCase());
  return isOwn && (site === undefined || site === 'same-origin');
}
