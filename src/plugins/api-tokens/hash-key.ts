import { createHmac } from 'node:crypto';

/** An access key as it is stored: a hash keyed with the salt, as Strapi v4 makes it. */
export const hashKey = (key: string, salt: string): string => createHmac('sha512', salt).update(key).digest('hex');
