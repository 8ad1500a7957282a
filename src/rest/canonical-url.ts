/** The parts of a request's URL; proxies are sent the origin too. */
const parts = /^(https?:\/\/[^/?#]*)?([^?#]*)(.*)$/is;

/**
 * A percent-encoded letter, digit, `-`, `.`, `_` or `~`, which means the same as the character. Behind another percent
 * sign it stays, because the result would be decoded a second time.
 */
const needlessCode = /(?<!%[\da-f]?)%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dAE])/gi;

const dotSegment = /\/\.\.?(?:\/|$)/;

/**
 * The URL of a request with one spelling of its path (RFC 3986, section 6.2.2): without needless percent-encoding and
 * dot segments. Routers compare a path as it is written and decode only parameters, so that an encoded letter would
 * lead from the route that names a segment to one with a parameter in its place.
 */
export function canonicalUrl(url: string): string {
  const [, origin = '', written = '', query = ''] = parts.exec(url) ?? [];
  const path = written.replaceAll(needlessCode, (code) => decodeURIComponent(code));
  return origin + (dotSegment.test(path) ? withoutDotSegments(path) : path) + query;
}

function withoutDotSegments(path: string): string {
  const [root = '', ...segments] = path.split('/');
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
  }
  // The path of a folder ends with a slash.
  const isFolder = segments.at(-1) === '.' || segments.at(-1) === '..';
  return [root, ...kept, ...(isFolder ? [''] : [])].join('/');
}
