// Writes the files that state the tables of operators and attribute types for the client and the editor.
import { writeFileSync } from 'node:fs';
import { createJiti } from 'jiti';

const jiti = createJiti(import.meta.url);
const { generatedFiles } = await jiti.import('../tests/support/generated-files.ts');
for (const [path, text] of Object.entries(generatedFiles())) writeFileSync(path, text);
