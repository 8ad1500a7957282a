const units = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** Bytes in words, as `bytesToHumanReadable` of Strapi v4 says them: `300 KB`. */
export function readableSize(bytes: number): string {
  if (bytes === 0) return '0 Bytes';
  const power = Math.floor(Math.log(bytes) / Math.log(1000));
  return `${Math.round(bytes / 1000 ** power)} ${units[power]}`;
}
