/** The first segment of a path, as paths are compared: without case. */
const segmentAt = (path: string, index: number): string => (path.split('/', index + 1)[index] ?? '').toLowerCase();

/** What has a meaning of its own in the path of a route. */
const special = /[:*{}()[\]?+!\\]/;

/**
 * Tells by its first segment whether a request below `/api` can be for one of these routes: comparing its path with each of
 * them would take longer than all else that express does for it.
 * @param paths of routes, below `/api`
 */
export function matchFirstSegments(paths: readonly string[]): (requestPath: string) => boolean {
  const segments = new Set(paths.map((path) => segmentAt(path, 1)));
  if ([...segments].some((segment) => special.test(segment))) return () => true;
  return (requestPath) => segments.has(segmentAt(requestPath, 2));
}
