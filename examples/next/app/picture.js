import { fileUrl } from '../lib/content.js';

/** An image in the sizes that the service has made of it; nothing where an entry has no image. */
export function Picture({ file, sizes }) {
  if (file === null) return null;
  const { url, width, height, alternativeText, formats } = file.attributes;
  const made = [...Object.values(formats ?? {}), { url, width }];
  return (
    <img
      src={fileUrl(url)}
      srcSet={made.map((size) => `${fileUrl(size.url)} ${size.width}w`).join(', ')}
      sizes={sizes}
      width={width}
      height={height}
      alt={alternativeText ?? ''}
    />
  );
}
