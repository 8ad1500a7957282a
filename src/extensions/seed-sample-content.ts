import type { ExtensionContext } from '../plugins/extension.js';
import { sampleContent } from './sample-content/index.js';

/** Creates the sample content in a database that has none of its types' entries. */
export async function seedSampleContent({ registry, entries, log }: ExtensionContext): Promise<void> {
  const content = sampleContent.filter(({ uid }) => registry.contentTypes.has(uid));
  for (const { uid } of content) if ((await entries.count(uid)) > 0) return;
  let created = 0;
  for (const { uid, entries: samples } of content) {
    for (const sample of samples) await entries.create(uid, sample, { fields: ['id'] });
    created += samples.length;
  }
  log.info(`First start: created ${created} sample entries`);
}
