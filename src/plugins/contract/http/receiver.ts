import type { Config } from '../../../config/config.js';
import { isRecord } from '../../../config/record.js';
import type { Report } from '../../../content-types/load/report.js';

/** Characters of a secret. */
const MIN_SECRET = 16;

/** Why a URL cannot be a receiver's; undefined if it can. */
export function findUrlProblem(url: string): string | undefined {
  if (!URL.canParse(url)) return `"${url}" must be a URL, e.g. "https://example.com/hook"`;
  const { protocol, username, password } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return 'must begin with https:// or http://';
  return username === '' && password === '' ? undefined : 'must not contain a password; use headers';
}

const thisMachine = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether what a file declares is sent to a receiver: tests of a project must not call those of its site. */
export const isReached = (url: string, environment: Config['environment']): boolean =>
  environment !== 'test' || (URL.canParse(url) && thisMachine.test(new URL(url).hostname));

/** What secrets are read from. A service of tests lacks those of `.env`, which are not reported then. */
export type SecretSource = Pick<Config, 'variables' | 'environment'>;

/**
 * The secret of an environment variable that a file names: it does not belong into a file that is under version
 * control. Empty if it has no value; undefined if the file names none.
 */
export function parseSecret(
  input: unknown,
  at: string,
  { variables, environment }: SecretSource,
  report: Report,
): string | undefined {
  if (input === undefined) return undefined;
  const variable = isRecord(input) ? input['env'] : undefined;
  if (typeof variable !== 'string') {
    report(at, 'must name an environment variable: { "env": "WEBHOOK_SECRET" }');
    return undefined;
  }
  const secret = variables[variable] ?? '';
  if (secret === '' && environment === 'test') return secret;
  if (secret === '')
    report(`${at}.env`, `the environment variable ${variable} is not set; give it at least ${MIN_SECRET} characters`);
  else if (secret.length < MIN_SECRET) {
    report(`${at}.env`, `the environment variable ${variable} must have at least ${MIN_SECRET} characters`);
  }
  return secret;
}
