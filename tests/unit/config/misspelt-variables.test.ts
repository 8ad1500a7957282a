import { expect, test } from '@jest/globals';
import { misspeltVariables } from '../../../src/config/misspelt-variables.js';

test.each([
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['MONGO_URI', 'MONGODB_URI'],
  ['JWT_SECRETS', 'JWT_SECRET'],
  ['PORTS', 'PORT'],
  ['Mongodb_Uri', 'MONGODB_URI'],
  ['CORSORIGINS', 'CORS_ORIGINS'],
])('%s is probably %s', (name, meant) => {
  expect(misspeltVariables({ [name]: 'mongodb://db.test' })).toEqual([
    `${name} is set, and is no setting of the service; did you mean ${meant}?`,
  ]);
});

test('an address of MongoDB under the name of a database is probably MONGODB_URI, if that has no value', () => {
  const variables = { SHOP_MONGODB_URI: 'mongodb://tests', DATABASE_URL: 'mongodb+srv://me:hunter2@db.test' };
  expect(misspeltVariables(variables)).toEqual([
    'DATABASE_URL is set, and is no setting of the service; did you mean MONGODB_URI?',
  ]);
  expect(misspeltVariables({ ...variables, MONGODB_URI: 'mongodb://db.test' })).toEqual([]);
  expect(misspeltVariables({ DATABASE_URL: 'postgres://db.test' })).toEqual([]);
});

test.each([
  ['settings, and variables of a project', 'PORT EDITOR_TOKEN WEBSITE_TOKEN APP_KEYS DATABASE_CLIENT API_KEY'],
  [
    'those of a Strapi project',
    'ADMIN_JWT_SECRET TRANSFER_TOKEN_SALT DATABASE_HOST DATABASE_PORT DATABASE_SSL DATABASE_USERNAME',
  ],
  ['those of a service in Kubernetes', 'MONGODB_PORT MONGODB_SERVICE_HOST MONGODB_PORT_27017_TCP SMTP_PORT MAIL_PORT'],
  [
    'those of a shell, a container, systemd and continuous integration',
    `PATH HOME SHELL TERM LANG USER LOGNAME PWD OLDPWD SHLVL HOSTNAME HOSTTYPE OSTYPE MAIL EDITOR VISUAL DISPLAY TMPDIR TZ CI DEBUG
     NODE_PATH NODE_OPTIONS NODE_VERSION NODE_EXTRA_CA_CERTS YARN_VERSION LC_ALL LS_COLORS XDG_RUNTIME_DIR SSH_AUTH_SOCK COLUMNS LINES
     INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID CREDENTIALS_DIRECTORY LISTEN_FDS MAINPID WATCHDOG_USEC HTTP_PROXY HTTPS_PROXY NO_PROXY
     http_proxy no_proxy npm_config_cache npm_lifecycle_event INIT_CWD COLORTERM TERM_PROGRAM GITHUB_TOKEN DEBIAN_FRONTEND DATABASE_URL`,
  ],
])('%s are not doubted', (_, names) => {
  expect(misspeltVariables(Object.fromEntries(names.split(/\s+/).map((name) => [name, 'x'])))).toEqual([]);
});
