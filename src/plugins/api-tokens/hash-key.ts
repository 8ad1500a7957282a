import { createHmac } from 'node:crypto';

/** The stored form of an access key: a hash keyed with the salt, as in Strapi v4. */
export const hashKey = (key: string, salt: string): string => createHmac('sha512', salt).update(key).digest('hex');
