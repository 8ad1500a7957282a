import fs from 'node:fs';

/** A text without the byte order mark that editors on Windows put in front. */
export const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '');

/**
 * The value in a JSON file.
 * @throws Error if it cannot be read, SyntaxError if it is not JSON
 */
export const readJson = (file: string): unknown => JSON.parse(withoutByteOrderMark(fs.readFileSync(file, 'utf8')));
