/** The media types of bodies in JSON, as in Strapi v4. */
export const jsonTypes = [
  'application/json',
  'application/json-patch+json',
  'application/vnd.api+json',
  'application/csp-report',
];
