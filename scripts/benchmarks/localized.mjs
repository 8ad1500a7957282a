import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const localized = { i18n: { localized: true } };

/** Copies the content types into a folder, the article and all of its values localized. Returns the folder. */
export function localizeContentTypes(folder, locales) {
  fs.cpSync(path.join(import.meta.dirname, 'content-types'), folder, { recursive: true });
  change(path.join(folder, 'article.json'), ({ attributes, ...type }) => ({
    ...type,
    pluginOptions: localized,
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([name, attribute]) => [name, { ...attribute, pluginOptions: localized }]),
    ),
  }));
  change(path.join(folder, 'access.json'), (access) => ({
    ...access,
    locales: locales.map((code, index) => ({ code, isDefault: index === 0 })),
  }));
  return folder;
}

function change(file, make) {
  fs.writeFileSync(file, JSON.stringify(make(JSON.parse(fs.readFileSync(file, 'utf8')))));
}

/** Checks that all systems find as many entries, on the page and in all. @throws AssertionError */
export async function checkSizes(name, [first, ...others]) {
  for (const [index, request] of first.requests[name].entries()) {
    const expected = await sizes(first, request);
    for (const other of others)
      assert.deepEqual(await sizes(other, other.requests[name][index]), expected, request.path);
  }
}

async function sizes({ url, headers }, { path: address }) {
  const response = await fetch(url + address, { headers });
  const { data, meta } = await response.json();
  return { status: response.status, entries: data?.length, meta };
}
