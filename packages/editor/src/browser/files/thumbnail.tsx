import { useState } from 'react';
import type { FileRecord } from '../model/values.js';

interface Props {
  readonly file: FileRecord | undefined;
  /** It has more space than the smallest size of images fills. */
  readonly isLarge?: boolean;
}

/** An image in full, not cropped; the kind of other files. */
export function Thumbnail({ file, isLarge = false }: Props) {
  // What the browser cannot show: it is named an image, and is none.
  const [broken, setBroken] = useState<string>();
  if (file === undefined || !file.mime.startsWith('image/') || broken === file.url)
    return <span className="thumbnail">{file?.mime.split('/').pop() ?? 'file'}</span>;
  return (
    <img
      className="thumbnail"
      src={addressOf(
        file,
        (isLarge ? file.formats?.['small']?.url : undefined) ?? file.formats?.['thumbnail']?.url ?? file.url,
      )}
      alt={file.alternativeText ?? ''}
      loading="lazy"
      draggable={false}
      onError={() => setBroken(file.url)}
    />
  );
}

/** A replaced file has the same address, which browsers keep for a day; a store elsewhere may refuse a query. */
export const addressOf = ({ updatedAt }: FileRecord, url: string): string =>
  url.startsWith('/') && updatedAt !== undefined ? `${url}?${Date.parse(updatedAt)}` : url;
