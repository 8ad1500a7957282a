import type { FileRecord } from '../model/values.js';

/** An image in full, not cropped; the kind of other files. */
export function Thumbnail({ file }: { readonly file: FileRecord | undefined }) {
  if (file === undefined || !file.mime.startsWith('image/'))
    return <span className="thumbnail">{file?.mime.split('/').pop() ?? 'file'}</span>;
  return (
    <img
      className="thumbnail"
      src={addressOf(file, file.formats?.['thumbnail']?.url ?? file.url)}
      alt={file.alternativeText ?? ''}
      loading="lazy"
      draggable={false}
    />
  );
}

/** A replaced file has the same address, which browsers keep for a day; a store elsewhere may refuse a query. */
export const addressOf = ({ updatedAt }: FileRecord, url: string): string =>
  url.startsWith('/') && updatedAt !== undefined ? `${url}?${Date.parse(updatedAt)}` : url;
