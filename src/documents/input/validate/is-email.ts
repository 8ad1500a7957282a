import { fullFormats } from 'ajv-formats/dist/formats.js';

const { email } = fullFormats;

/** Whether a string is valid for an attribute of type `email`. */
export const isEmail = (text: string): boolean => email instanceof RegExp && email.test(text);
