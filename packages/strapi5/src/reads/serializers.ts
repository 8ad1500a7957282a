import {
  overlapMeta,
  pageMeta,
  presentEntry,
  serializeJson,
  serializeList,
  type ResponseSerializer,
} from 'content-service/content-api';

/** Serializes lists. @param limit the maximum bytes of one */
export const listSerializer = (limit: number): ResponseSerializer => ({
  name: 'list',
  present: ({ page, query, presenter }) => {
    const entries = page.entries.map((entry) => () => entry(presenter));
    return serializeList(entries, { ...pageMeta(page, query.pagination), ...overlapMeta(query) }, limit);
  },
});

/** Serializes single entries. @param limit the maximum bytes of one */
export const entrySerializer = (limit: number): ResponseSerializer => ({
  name: 'entry',
  present: (result) => serializeJson({ data: presentEntry(result), meta: {} }, limit),
});
