// Writes what states the tables of the service again: rows for the client and the editor, and the pages of reference.
import { writeFileSync } from 'node:fs';
import { createJiti } from 'jiti';

const jiti = createJiti(import.meta.url);
const { generatedFiles } = await jiti.import('../tests/support/generated-files.ts');
const { generatedPages } = await jiti.import('../tests/support/generated-pages.ts');
const files = { ...generatedFiles(), ...(await generatedPages()) };
for (const [path, text] of Object.entries(files)) writeFileSync(path, text);
