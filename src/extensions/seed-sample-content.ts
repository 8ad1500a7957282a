import { anyone } from '../documents/interceptors.js';
import type { ExtensionContext } from '../load-extension.js';
import { sampleContent } from './sample-content/index.js';

const nothing = {
  caller: anyone,
  selection: { fields: [], populate: [] },
  shape: { entry: (id: number) => id, one: () => null, many: () => [], morph: undefined as never },
};

/** Creates the sample content in a database that has none of its types' entries. */
export async function seedSampleContent({ registry, documents, log }: ExtensionContext): Promise<void> {
  const types = sampleContent.flatMap(({ uid, entries }) => {
    const type = registry.contentTypes.get(uid);
    return type === undefined ? [] : [{ type, entries }];
  });
  for (const { type } of types) if ((await documents.count(type, undefined)) > 0) return;
  for (const { type, entries } of types) for (const entry of entries) await documents.create(type, entry, nothing);
  log.info(`First start: created ${types.reduce((sum, { entries }) => sum + entries.length, 0)} sample entries`);
}
