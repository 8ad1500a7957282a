import fs from 'node:fs';

/**
 * The value in a JSON file, without the byte order mark that editors on Windows write.
 * @throws Error if it cannot be read, SyntaxError if it is not JSON
 */
export const readJson = (file: string): unknown => JSON.parse(fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
