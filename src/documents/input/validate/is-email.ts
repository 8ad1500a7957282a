import { fullFormats } from 'ajv-formats/dist/formats.js';

const { email } = fullFormats;

/** Is it an e-mail address, as attributes of type `email` take it? */
export const isEmail = (text: string): boolean => email instanceof RegExp && email.test(text);
