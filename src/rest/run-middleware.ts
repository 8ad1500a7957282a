import type { Request, RequestHandler, Response } from 'express';

/** Runs a middleware to its end. @throws what it passes on */
export function runMiddleware(middleware: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
    Promise.resolve(middleware(request, response, next)).catch(reject);
  });
}
