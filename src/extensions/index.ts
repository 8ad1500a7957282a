import type { ExtensionContext } from '../plugins/extension.js';
import { seedSampleContent } from './seed-sample-content.js';

/** The sample of an owner's own code: at the first start it puts the sample content in. */
export async function bootstrap(context: ExtensionContext): Promise<void> {
  await seedSampleContent(context);
}
