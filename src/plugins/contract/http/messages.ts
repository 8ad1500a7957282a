import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/**
 * A request as mounts get it: that of Express, of which plugins can rely on these members. They are declared here, so
 * that a plugin compiles without the types of Express.
 */
export interface Request extends IncomingMessage {
  readonly method: string;
  /** Below the path of the mount. */
  readonly url: string;
  readonly originalUrl: string;
  /** `url` without its query string. */
  readonly path: string;
  readonly protocol: string;
  /** With the port; according to trusted proxies, as `ip`. */
  readonly host: string;
  readonly ip?: string | undefined;
  readonly query: unknown;
  /** Those in the path. */
  readonly params: Readonly<Record<string, string | readonly string[]>>;
  /** The whole service: what it is called with passes through all that requests pass through. */
  readonly app: RequestListener;
  /** What `http.bodies` has read. */
  readonly body?: unknown;
  /** A header. */
  get(name: string): string | undefined;
  /** Whether the body has this media type. */
  is(type: string): string | false | null;
  /** The first of these media types that the client accepts. */
  accepts(...types: string[]): string | false;
}

interface FileOptions {
  /** The folder. */
  readonly root: string;
  /** `allow`: its hidden files are sent, too. */
  readonly dotfiles?: 'allow';
}

/** A response as mounts get it, see `Request`. */
export interface Response extends ServerResponse {
  status(code: number): this;
  /** Sets headers. */
  set(headers: Readonly<Record<string, string | readonly string[]>>): this;
  /** Sets `Content-Type` by a media type or the ending of a file. */
  type(type: string): this;
  /** Adds headers to `Vary`. */
  vary(headers: string): this;
  /** Sends JSON. */
  json(body: unknown): this;
  /** Sends a text of the type that was set. */
  send(text: string): this;
  /** Sends a file below a folder. */
  sendFile(path: string, options: FileOptions, done: (error?: Error) => void): void;
}

/** A method, not a property: so handlers with the types of Express, which know more members, are such handlers, too. */
interface Handling {
  handle(request: Request, response: Response, next: (error?: unknown) => void): unknown;
}

/** Handles requests; one that it does not answer it passes on by `next()`, and an error by `next(error)`. */
export type RequestHandler = Handling['handle'];
