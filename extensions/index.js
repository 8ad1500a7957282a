import { seedSampleContent } from './seed-sample-content.js';

/** The code of this sample project: on the first start it seeds the sample content. */
export async function bootstrap(context) {
  await seedSampleContent(context);
}
