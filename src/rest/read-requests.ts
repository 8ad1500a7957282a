import type { Request } from 'express';

/** Whether a request only reads, by its method. */
export const isRead = ({ method }: { readonly method: string }): boolean => method === 'GET' || method === 'HEAD';

/** A read whose response is the same for everybody: one to a request with credentials can be private. */
export const isPublicRead = (request: Request): boolean =>
  isRead(request) &&
  request.headers.authorization === undefined &&
  request.headers.cookie === undefined &&
  request.headers['x-explain'] === undefined;
