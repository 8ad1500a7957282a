import path from 'node:path';

/** A plugin whose clients address entries by a `documentId`, for `plugins` of a service. */
export const documentsPlugin = {
  name: 'documents',
  settings: { enabled: true, resolve: path.resolve('tests/support/with-document-ids.cjs') },
} as const;
