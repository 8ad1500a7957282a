import { Readable } from 'node:stream';
import { readSampleContent } from './sample-content/index.js';

const ARTICLE = 'api::article.article';
const CATEGORY = 'api::category.category';

/** Creates the sample content in a database that has no entries of its types. */
export async function seedSampleContent(context) {
  const { registry, entries, log } = context;
  const content = readSampleContent().filter(({ uid }) => registry.contentTypes.has(uid));
  for (const { uid } of content) if ((await entries.count(uid)) > 0) return;
  const covers = await uploadCovers(context, content);
  let created = 0;
  for (const { uid, entries: samples } of content) {
    for (const sample of samples) {
      const cover = uid === ARTICLE ? covers.get(sample.category) : undefined;
      await entries.create(uid, { ...sample, ...(cover !== undefined && { cover }) }, { fields: ['id'] });
    }
    created += samples.length;
  }
  log.info(`First start: created ${created} sample entries`);
}

/** A cover for the articles of each category, by the category's id; none where articles have no covers. */
async function uploadCovers({ registry, uploadFile }, content) {
  const attribute = registry.contentTypes.get(ARTICLE)?.attributes.get('cover');
  if (attribute?.kind !== 'relation' || !attribute.media) return new Map();
  // Drawing takes an image library, which only the first start needs.
  const { drawCover } = await import('./draw-cover.js');
  const categories = content.find(({ uid }) => uid === CATEGORY)?.entries ?? [];
  const covers = new Map();
  for (const [index, { name, slug }] of categories.entries()) {
    const picture = Readable.from([await drawCover(index)]);
    const { id } = await uploadFile(`${slug}.jpg`, picture, { alternativeText: `${name}: hills under the sun` });
    covers.set(index + 1, id);
  }
  return covers;
}
