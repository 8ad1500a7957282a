import fs from 'node:fs';
import path from 'node:path';
import { createJiti } from 'jiti';
import sharp from 'sharp';
import { startEngine, startService } from './children.mjs';

/** The sample content of a build, with more entries, and a user who writes it in the editor. */

const jiti = createJiti(import.meta.url, { nativeModules: ['axe-core'] });
export const { field, openEditor } = await jiti.import('../../packages/editor/tests/service/editor-page.ts');

const project = path.resolve(import.meta.dirname, '../..');
const [user, password] = ['ann', 'ann-writes-articles'];
/** Requests for the content at the same time. */
const TOGETHER = 4;

/** A PNG that differs from others by its color. */
const imageOf = (number) =>
  sharp({ create: { width: 400, height: 300, channels: 3, background: { r: number % 256, g: 120, b: 60 } } })
    .png()
    .toBuffer();

/**
 * Starts the editor of a build in production, with the types of its sample content, in two languages.
 * @param counts how many articles and images there are
 * @param checkout the folder of another build
 */
export async function startEditor(makeFolder, { articles, images }, checkout = project) {
  const folder = makeFolder('project');
  const contentTypes = path.join(folder, 'content-types');
  fs.cpSync(path.join(checkout, 'content-types'), contentTypes, { recursive: true });
  const schema = fs.readFileSync(path.join(checkout, 'schemas', 'content-type.schema.json'), 'utf8');
  /** Whether the build has working copies and a trash. */
  const hasCopies = schema.includes('"workingCopies"');
  change(contentTypes, 'article.json', (definition) => ({
    ...definition,
    options: { ...definition.options, ...(hasCopies && { workingCopies: true, trash: 30 }) },
    pluginOptions: { ...definition.pluginOptions, i18n: { localized: true } },
    attributes: localized(definition.attributes, 'title', 'summary', 'body'),
  }));
  change(contentTypes, 'access.json', ({ roles }) => {
    const added = ['createLocalization', ...(hasCopies ? ['find.drafts'] : [])].map(
      (name) => `api::article.article.${name}`,
    );
    const editor = { ...roles.editor, permissions: [...roles.editor.permissions, ...added] };
    const tokens = { benchmark: { type: 'full-access', key: { env: 'BENCHMARK_TOKEN' } } };
    return { roles: { ...roles, editor }, tokens };
  });
  const plugins = {
    admin: true,
    versions: true,
    i18n: { config: { locales: ['en', 'fr'] } },
    'users-permissions': { config: { rateLimit: false } },
  };
  fs.mkdirSync(path.join(folder, 'config'));
  fs.writeFileSync(path.join(folder, 'config', 'plugins.json'), JSON.stringify(plugins));
  const engine = await startEngine(makeFolder('engine'));
  const settings = { CONTENT_TYPES: contentTypes, MONGODB_URI: `${engine.uri}/editor`, ETAG: 'true' };
  const service = await startService(settings, folder, checkout);
  const send = openApi(service);
  const upload = async (number) => {
    const form = new FormData();
    form.append('files', new Blob([await imageOf(number)], { type: 'image/png' }), `image-${number}.png`);
    const [{ id }] = await send('POST', 'upload', form);
    return id;
  };
  const { roles } = await send('GET', 'users-permissions/roles');
  const { id: role } = roles.find(({ type }) => type === 'editor');
  await send('POST', 'users', { username: user, email: 'ann@example.org', password, role, confirmed: true });
  await times(images, upload);
  await send('POST', 'authors', { data: { name: 'Ada Wilk', email: 'ada@example.org' } });
  await times(articles, (number) => send('POST', 'articles', { data: articleOf(number) }));
  const stop = async () => {
    await service.stop();
    await engine.stop();
  };
  return { url: service.url, send, upload, stop };
}

const articleOf = (number) => ({
  title: `Note ${number}`,
  slug: `note-${number}`,
  summary: 'What is known of bread',
  body: `# Bread\n\nIt is **old**, see [the mill](https://example.org).\n\n- rye\n- wheat\n`,
  kind: 'note',
});

/** Opens an address of the editor in a browser of its own, as the user. */
export async function openAs({ url }, address) {
  const page = await openEditor({ service: { url } }, `/admin${address}`);
  await page.logIn(user, password);
  await page.waitFor(`document.querySelector('#navigation a') !== null`);
  return page;
}

function change(folder, name, changed) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, JSON.stringify(changed(JSON.parse(fs.readFileSync(file, 'utf8')))));
}

const localized = (attributes, ...names) =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, { pluginOptions, ...attribute }]) => [
      name,
      {
        ...attribute,
        pluginOptions: { ...pluginOptions, ...(names.includes(name) && { i18n: { localized: true } }) },
      },
    ]),
  );

const openApi =
  ({ url, headers }) =>
  async (method, address, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}/api/${address}`, {
      method,
      headers: { ...headers, ...(!isForm && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${address}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };

async function times(count, work) {
  for (let number = 0; number < count; number += TOGETHER) {
    const together = Array.from({ length: Math.min(TOGETHER, count - number) }, (_, index) => work(number + index));
    await Promise.all(together);
  }
}
