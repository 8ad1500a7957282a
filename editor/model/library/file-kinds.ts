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

/** The condition for the files of some kinds. */
export function filterOfKinds(kinds: readonly string[] | undefined): readonly object[] {
  const allowed = prefixesOf(kinds);
  return allowed === undefined ? [] : [{ $or: allowed.map((prefix) => ({ mime: { $startsWith: prefix } })) }];
}
