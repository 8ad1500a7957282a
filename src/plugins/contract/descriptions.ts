/** What a route takes and gives, in JSON Schema; `#/components/schemas/UploadFileRecord` is an entry of a plugin's type. */
export interface RouteDescription {
  readonly summary: string;
  /** Names of parameters in the query string. */
  readonly query?: readonly string[];
  readonly body?: Readonly<Record<string, unknown>>;
  /** The fields of `multipart/form-data`. */
  readonly form?: Readonly<Record<string, unknown>>;
  readonly response?: Readonly<Record<string, unknown>>;
}

/** A page for people, outside of `/api`. */
export interface Page {
  readonly path: string;
  readonly title: string;
  /** What one finds there, in a few words. */
  readonly description: string;
}
