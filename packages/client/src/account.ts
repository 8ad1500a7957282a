import type { FileFormats, FocalPoint } from './model.js';

export interface LogIn {
  /** The name or the email address. */
  readonly identifier: string;
  readonly password: string;
}

export interface Registration {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** A user who logged in. */
export interface Account {
  /** The token for further requests. */
  readonly jwt?: string;
  readonly user: { readonly id: number; readonly username: string; readonly email: string };
}

/** The media field of an entry that uploaded files are added to. */
export interface UploadTarget {
  /** The uid of the content type, e.g. `api::article.article`. */
  readonly ref: string;
  readonly refId: number;
  readonly field: string;
}

export interface UploadedFile {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly mime: string;
  readonly ext: string | null;
  /** In kilobytes. */
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly alternativeText: string | null;
  readonly caption: string | null;
  readonly formats: FileFormats | null;
  /** Absent if none was chosen. */
  readonly focalPoint?: FocalPoint;
}
