import type { BuiltInContext, BuiltInSettings } from '../contract/built-in.js';

const PATH = '/admin';

/** In the address of a page of the editor to which a log-in at a provider leads back: which provider. */
export const RETURNED = 'log-in';

/** Where people find the editor; without `PUBLIC_URL` its path alone, and undefined: there is none. */
export const editorAddress = ({
  http,
  settings,
}: {
  readonly http: Pick<BuiltInContext['http'], 'pages'>;
  readonly settings: Pick<BuiltInSettings, 'publicUrl'>;
}): string | undefined =>
  http.pages.some(({ path }) => path === PATH) ? `${settings.publicUrl ?? ''}${PATH}` : undefined;
