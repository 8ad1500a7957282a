import type { Texts } from '../../language/texts.js';

/** The media types of Strapi's kinds of files; `files` are all others. */
const prefixes: Readonly<Record<string, string>> = { images: 'image/', videos: 'video/', audios: 'audio/' };

/** Undefined: all kinds are allowed. */
const prefixesOf = (kinds: readonly string[] | undefined): readonly string[] | undefined => {
  const allowed = (kinds ?? ['files']).map((kind) => prefixes[kind]);
  return allowed.every((prefix) => prefix !== undefined) ? allowed : undefined;
};

/** What the browser offers for an upload. */
export const acceptOf = (kinds: readonly string[] | undefined): string | undefined =>
  prefixesOf(kinds)
    ?.map((prefix) => `${prefix}*`)
    .join();

/** Whether a file with this media type is of one of these kinds. */
export const isOfKinds = (kinds: readonly string[] | undefined, mime: string): boolean =>
  prefixesOf(kinds)?.some((prefix) => mime.startsWith(prefix)) ?? true;

const beginsWithAny = (allowed: readonly string[]): object => ({
  $or: allowed.map((prefix) => ({ mime: { $startsWith: prefix } })),
});

/** The condition for the files of some kinds, or for `documents`: those that are neither seen nor heard. */
export function filterOfKinds(kinds: readonly string[] | undefined): readonly object[] {
  if (kinds?.includes('documents') === true) return [{ $not: beginsWithAny(Object.values(prefixes)) }];
  const allowed = prefixesOf(kinds);
  return allowed === undefined ? [] : [beginsWithAny(allowed)];
}

/** The condition for images of which nobody said what they show. */
export const undescribed: object = {
  mime: { $startsWith: 'image/' },
  $or: [{ alternativeText: { $null: true } }, { alternativeText: { $eq: '' } }],
};

/** Where files are to be uploaded to. */
interface UploadTarget {
  /** Bytes; undefined: not known. */
  readonly limit?: number | undefined;
  /** A media field; undefined: the library. */
  readonly field?: {
    readonly label: string;
    readonly kinds?: readonly string[];
    readonly multiple: boolean;
  };
}

/** Why the service, or the field, would refuse these files; undefined: it would not. */
export function refusalOf(
  texts: Texts['files'],
  files: readonly Pick<File, 'name' | 'type' | 'size'>[],
  { limit = Infinity, field }: UploadTarget,
): string | undefined {
  const other = files.find(({ type }) => !isOfKinds(field?.kinds, type));
  if (field !== undefined && other !== undefined) return texts.refusesKind(field.label, other.name);
  if (field?.multiple === false && files.length > 1) return texts.takesOne(field.label);
  for (const file of files) {
    const refusal = ofFile(file, limit);
    if (refusal === 'empty') return texts.empty(file.name);
    if (refusal === 'large') return texts.tooLarge(file.name, megabytes(limit));
  }
  return undefined;
}

/** Why the service would refuse one of several files; undefined: it would not. */
export function sizeRefusalOf(texts: Texts['several'], file: Pick<File, 'size'>, limit = Infinity): string | undefined {
  const refusal = ofFile(file, limit);
  if (refusal === 'empty') return texts.empty;
  return refusal && texts.larger(megabytes(limit));
}

function ofFile({ size }: Pick<File, 'size'>, limit: number): 'empty' | 'large' | undefined {
  if (size === 0) return 'empty';
  return size > limit ? 'large' : undefined;
}

/** To the half. */
const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 19) / 2;
