/** What this version can write and the older one cannot, and what the older one then writes on the same entries. */

/** Each with the requests that use it: method, path, body. */
export const features = [
  {
    name: 'entries that are created, changed and linked as before',
    steps: [
      ['POST', '/api/articles', { data: { title: 'Written by the newer version', author: 1, price: 7.5 } }],
      ['PUT', '/api/articles/4', { data: { title: 'Changed by the newer version', quotes: [{ text: 'new' }] } }],
    ],
  },
  {
    name: 'a working copy',
    steps: [['PUT', '/api/articles/1?status=draft', { data: { title: 'Prepared', views: '7' } }]],
  },
  {
    name: 'a request to publish',
    steps: [
      ['PUT', '/api/articles/5?status=draft', { data: { title: 'Asked for' } }],
      ['POST', '/api/articles/5/review', { note: 'For Friday' }],
    ],
  },
  { name: 'a deleted entry in the trash', steps: [['DELETE', '/api/articles/6']] },
  {
    name: 'an entry in the format of Strapi 5',
    steps: [['POST', '/v5/api/articles?status=draft', { data: { title: 'Written at /v5' } }]],
  },
];

/**
 * What the older version writes after the return: on an entry with a working copy, and on one whose publication was
 * asked for.
 */
export const afterReturn = [
  ['PUT', '/api/articles/1', { data: { body: 'Changed by the older version' } }],
  ['DELETE', '/api/articles/5'],
  ['POST', '/api/articles', { data: { title: 'Written by the older version' } }],
];

/** What the newer version does once more, after both. */
export const afterSecondUpgrade = [
  ['PUT', '/api/articles/1?status=published', { data: {} }],
  ['POST', '/api/articles/trash/6/restore'],
];
