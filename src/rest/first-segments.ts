/** The segment of a path that begins at this index, as paths are compared: without case. */
function segmentFrom(path: string, start: number): string {
  const end = path.indexOf('/', start);
  return path.slice(start, end < 0 ? undefined : end).toLowerCase();
}

/** What has a meaning of its own in the path of a route. */
const special = /[:*{}()[\]?+!\\]/;

/**
 * Tells by its first segment whether a request below `/api` can be for one of these routes: comparing its path with each of
 * them would take longer than all else that express does for it.
 * @param paths of routes, below `/api`
 */
export function matchFirstSegments(paths: readonly string[]): (requestPath: string) => boolean {
  const segments = new Set(paths.map((path) => segmentFrom(path, '/'.length)));
  if ([...segments].some((segment) => special.test(segment))) return () => true;
  return (requestPath) => segments.has(segmentFrom(requestPath, '/api/'.length));
}
