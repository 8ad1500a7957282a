import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestService, type TestService } from '../../../src/testing.js';
import { chromium, openPage, type BrowserPage } from '../../support/browser.js';
import { monitoredUri } from '../../support/commands.js';
import { useService } from '../../support/service.js';

const client = useService();
const html = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

test('OPTIONS /graphql has an empty response, as in Strapi v4', async () => {
  const response = await fetch(`${client.service.url}/graphql`, { method: 'OPTIONS' });
  expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({ status: 204, allow: null });
});

describe('GET /graphql', () => {
  test('returns the Playground to browsers, with scripts of this origin only', async () => {
    const response = await fetch(`${client.service.url}/graphql`, html);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    const text = await response.text();
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file);
    expect(files.filter((file) => !file?.startsWith('data:'))).toEqual([
      '/graphql/playground/graphiql.css',
      '/graphql/playground/graphiql.js',
      '/graphql/playground/start.js',
    ]);
    const script = await fetch(`${client.service.url}/graphql/playground/graphiql.js`);
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect((await fetch(`${client.service.url}/graphql/playground/%2e%2e/%2e%2e/package.json`)).status).toBe(404);
  });

  test('executes queries of other clients', async () => {
    const response = await fetch(`${client.service.url}/graphql`, { headers: { accept: 'application/json' } });
    expect([response.status, await response.text()]).toEqual([400, 'GET query missing.']);
  });
});

describe('in production', () => {
  const production = {
    NODE_ENV: 'production',
    JWT_SECRET: 'a-secret-that-is-long-enough',
    API_TOKEN_SALT: 'a-salt-that-is-long-enough',
  };
  const services: TestService[] = [];
  const start = async (config: object): Promise<string> => {
    const service = await createTestService({
      mongodbUri: monitoredUri(),
      environment: production,
      plugins: { graphql: { config: { ...config } } },
    });
    services.push(service);
    return `${service.url}/graphql`;
  };
  afterAll(async () => {
    for (const service of services) await service.close();
  });

  test('Playground and introspection are disabled unless the settings enable them', async () => {
    const query = encodeURIComponent('{ __schema { queryType { name } } }');
    const closed = await start({});
    expect((await fetch(closed, html)).status).toBe(400);
    expect((await fetch(`${closed}/playground/graphiql.js`)).status).toBe(404);
    expect((await fetch(`${closed}?query=${query}`)).status).toBe(400);
    for (const setting of ['playgroundAlways', 'landingPage']) {
      const open = await start({ [setting]: true, apolloServer: { introspection: true } });
      expect((await fetch(open, html)).status).toBe(200);
      expect((await fetch(`${open}?query=${query}`)).status).toBe(200);
    }
  });
});

// oxlint-disable-next-line no-console -- makes clear that the test was skipped
if (chromium === undefined) console.warn('SKIPPED: the Playground in a browser, for there is no chromium on the PATH');
const inBrowser = chromium === undefined ? describe.skip : describe;

inBrowser('in a browser, the Playground', () => {
  let page: BrowserPage;
  beforeAll(async () => {
    const user = { username: 'ida', email: 'ida@example.test', password: 'ida-bakes' };
    const register = 'mutation R($u: UsersPermissionsRegisterInput!) { register(input: $u) { user { id } } }';
    const { status } = await fetch(`${client.service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: register, variables: { u: user } }),
    });
    if (status !== 200) throw new Error(`The log-in cannot be made: ${status}`);
    page = await openPage(chromium ?? '', `${client.service.url}/graphql`);
  });
  afterAll(async () => page.close());

  const click = (selector: string, text = ''): Promise<unknown> =>
    page.waitFor(`(() => {
      const found = [...document.querySelectorAll(${JSON.stringify(selector)})].find(
        (one) => one.textContent.includes(${JSON.stringify(text)}) && one.offsetParent !== null,
      );
      found?.click();
      return Boolean(found);
    })()`);
  const [VARIABLES, HEADERS] = [1, 2];
  /** The answer without its spaces; lines stand in the page in any order, and long ones are wrapped. */
  const response = `[...document.querySelectorAll('.graphiql-response .view-line')]
    .sort((one, other) => one.offsetTop - other.offsetTop)
    .map((line) => line.textContent.replaceAll(/[\\s\\u00a0]/g, ''))
    .join('')`;
  /**
   * Types into an editor and runs the query; gives the answer. Once more when what was typed did not arrive: an editor
   * that is shown anew is filled by the page some time later.
   */
  const run = async (editor: number, text: string, expected: string, attempts = 20): Promise<string> => {
    await page.waitFor(`(() => {
      const input = document.querySelectorAll('.graphiql-editor textarea')[${editor}];
      input?.focus();
      return input !== undefined && document.activeElement === input;
    })()`);
    await page.retype(text);
    await click('.graphiql-execute-button');
    const answer = page.waitFor(`${response}.includes('${expected}') && ${response}`, 3000);
    return answer.then(String, (error: unknown) => {
      if (attempts <= 1) throw error;
      return run(editor, text, expected, attempts - 1);
    });
  };

  test('the Playground logs in, sends the token as a header, and shows the user', async () => {
    await page.waitFor(`document.querySelector('.graphiql-query-editor .view-lines')?.textContent.includes('query')`);
    await click('.graphiql-tab-button', 'LogIn');
    await page.waitFor(`document.querySelector('.graphiql-query-editor .view-lines').textContent.includes('login')`);
    const answer = await run(VARIABLES, '{ "input": { "identifier": "ida", "password": "ida-bakes" } }', '"username"');
    const [, jwt = ''] = /"jwt":"([\w.-]+)"/.exec(answer) ?? [];
    expect(jwt).toMatch(/^ey/);

    await click('.graphiql-tab-button', 'Me');
    await page.waitFor(`document.querySelector('.graphiql-query-editor .view-lines').textContent.includes('me')`);
    await click('.graphiql-editor-tools button', 'Headers');
    await run(HEADERS, `{ "Authorization": "Bearer ${jwt}" }`, 'ida@example.test');
  });

  test('the Playground has documentation and a history', async () => {
    await click('button[aria-label="Show Documentation Explorer"]');
    const isVisible = (text: string) =>
      page.waitFor(`document.querySelector('.graphiql-plugin')?.textContent.includes('${text}')`);
    expect(await isVisible('query')).toBe(true);
    await click('button[aria-label="Show History"]');
    expect(await isVisible('LogIn')).toBe(true);
  });

  test('the Playground sends requests to this origin only and logs no error', () => {
    const foreign = page.requested.filter((url) => !/^(?:data|blob):/.test(url) && !url.startsWith(client.service.url));
    expect(foreign).toEqual([]);
    expect(page.mistakes).toEqual([]);
  });
});
