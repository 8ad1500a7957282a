// Writes what states the code of the service again: rows for the client and the editor, the pages of reference, and
// what packages import of it.
import { writeFileSync } from 'node:fs';
import { createJiti } from 'jiti';

const jiti = createJiti(import.meta.url);
const { generatedFiles } = await jiti.import('../tests/support/generated-files.ts');
const { generatedPages } = await jiti.import('../tests/support/generated-pages.ts');
const { exportedSurface, SURFACE } = await jiti.import('../tests/support/exported-surface.ts');
const files = { [SURFACE]: exportedSurface(), ...generatedFiles(), ...(await generatedPages()) };
for (const [path, text] of Object.entries(files)) writeFileSync(path, text);
