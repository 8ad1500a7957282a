import { Readable } from 'node:stream';
import type { ExtensionContext } from '../plugins/extension.js';
import { sampleContent } from './sample-content/index.js';

const ARTICLE = 'api::article.article';
const CATEGORY = 'api::category.category';

/** Creates the sample content in a database that has none of its types' entries. */
export async function seedSampleContent(context: ExtensionContext): Promise<void> {
  const { registry, entries, log } = context;
  const content = sampleContent.filter(({ uid }) => registry.contentTypes.has(uid));
  for (const { uid } of content) if ((await entries.count(uid)) > 0) return;
  const covers = await uploadCovers(context);
  let created = 0;
  for (const { uid, entries: samples } of content) {
    for (const sample of samples) {
      const cover = uid === ARTICLE ? covers.get(sample['category']) : undefined;
      await entries.create(uid, { ...sample, ...(cover !== undefined && { cover }) }, { fields: ['id'] });
    }
    created += samples.length;
  }
  log.info(`First start: created ${created} sample entries`);
}

/** A cover for the articles of each category, by the id of the category; none where articles have no covers. */
async function uploadCovers({ registry, uploadFile }: ExtensionContext): Promise<ReadonlyMap<unknown, number>> {
  const attribute = registry.contentTypes.get(ARTICLE)?.attributes.get('cover');
  if (attribute?.kind !== 'relation' || !attribute.media) return new Map();
  // What draws is loaded for the first start only.
  const { drawCover } = await import('./draw-cover.js');
  const categories = sampleContent.find(({ uid }) => uid === CATEGORY)?.entries ?? [];
  const covers = new Map<unknown, number>();
  for (const [index, { name, slug }] of categories.entries()) {
    const picture = Readable.from([await drawCover(index)]);
    const alternativeText = `${String(name)}: hills under the sun`;
    const { id } = await uploadFile(`${String(slug)}.jpg`, picture, { alternativeText });
    covers.set(index + 1, id);
  }
  return covers;
}
