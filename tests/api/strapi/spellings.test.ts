import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openProjectFolder, type RunningProject } from './project-folder.js';
import { configurations, gone, routed, sent } from './routed-project.js';

describe.each(configurations)('with %s', (_, prefix, files) => {
  let project: RunningProject;
  beforeAll(async () => {
    project = await openProjectFolder(files);
  });
  afterAll(() => project.stop());

  const answer = async (method: string, path: string): Promise<readonly [status: number, body: string]> => {
    const { status, body } = await project.send(method, path, sent[method]);
    return [status, JSON.stringify(body)];
  };
  const status = async (method: string, path: string): Promise<number> => (await answer(method, path))[0];

  test.each(routed)('%s %s is answered by its route', async (method, path, expected, part) => {
    for (const spelling of [path, `${path}/`, path.toUpperCase()]) {
      expect(await answer(method, `${prefix}${spelling}`)).toEqual([expected, expect.stringContaining(part)]);
    }
  });

  test.each(gone)('%s %s, which the project removed or moved, is not there', async (method, path) => {
    const expected = method === 'GET' ? 404 : 405;
    for (const spelling of [path, `${path}/`, `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`]) {
      expect([spelling, await status(method, `${prefix}${spelling}`)]).toEqual([spelling, expected]);
    }
  });

  test('an encoded letter is the letter', async () => {
    expect(await answer('GET', `${prefix}/%64ocs`)).toEqual(await answer('GET', `${prefix}/docs`));
    expect(await status('GET', `${prefix}/%64ocs/2`)).toBe(403);
    expect(await status('PUT', `${prefix}/%6dy-docs/2`)).toBe(403);
    expect(await answer('GET', `${prefix}/plains/%32`)).toEqual([200, expect.stringContaining('own')]);
  });

  test('a final slash does not lead around what code decides', async () => {
    expect(await status('GET', `${prefix}/docs/2/`)).toBe(403);
    expect(await status('GET', `${prefix}/lists/1/`)).toBe(404);
    expect(await status('PUT', `${prefix}/lists/1/`)).toBe(405);
    expect(await status('PUT', `${prefix}/homepage/`)).toBe(405);
  });

  test('the description of the API and the editor know its path', async () => {
    expect((await project.send('GET', '/documentation/openapi.json')).body.servers).toEqual([{ url: prefix }]);
    const editor = await project.fetch('/admin', { headers: { accept: 'text/html' } });
    expect(await editor.text()).toContain(`data-api="${prefix}"`);
  });

  test('a list that the project removed is in no feed', async () => {
    const headers = { accept: 'application/json' };
    const ask = async (type: string): Promise<number> =>
      (await project.fetch(`${prefix}/changes?types=${type}&wait=0`, { headers })).status;
    expect([await ask('plains'), await ask('files')]).toEqual([200, 400]);
  });

  test('files of uploads are never served from the public folder', async () => {
    expect(await answer('GET', '/hello.html')).toEqual([200, '"hello"']);
    const spellings = [
      '/uploads',
      '/%75ploads',
      '//uploads',
      '/./uploads',
      '/UPLOADS',
      '/x/../uploads',
      '/%2e/uploads',
    ];
    for (const folder of [...spellings, '/x%2F..%2Fuploads', '/%2Fuploads', '///uploads']) {
      for (const separator of ['/', '//', '%2F', '/./']) {
        const path = `${folder}${separator}a.html`;
        expect([path, await status('GET', path)]).toEqual([path, 404]);
      }
    }
  });

  if (prefix === '/api') return;
  const all = [...routed, ...gone].map(([method, path]) => [method, path] as const);
  test.each(all)('%s %s is not below the former prefix', async (method, path) => {
    for (const spelling of [path, `${path}/`]) {
      expect([spelling, await status(method, `/api${spelling}`)]).toEqual([spelling, method === 'GET' ? 404 : 405]);
    }
  });
});
