import fs from 'node:fs';

const read = (name) => JSON.parse(fs.readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'));

/**
 * The magazine of the first start, in load order. An entry is what a client would send as `data`; its relations are the
 * ids that entries get in an empty database: 1, 2, 3 … per type.
 */
export const readSampleContent = () =>
  ['setting', 'tag', 'category', 'author', 'article', 'homepage'].map((name) => ({
    uid: `api::${name}.${name}`,
    entries: read(name),
  }));
