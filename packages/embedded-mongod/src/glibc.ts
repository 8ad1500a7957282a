/** A version of the C library, as [major, minor]. */
export type Glibc = readonly [major: number, minor: number];

/** The C library of this process; undefined where it is another one (musl, macOS). */
export function runningGlibc(): Glibc | undefined {
  if (process.platform !== 'linux' || !process.report) return undefined;
  // Otherwise the report may wait for name look-ups.
  Object.assign(process.report, { excludeNetwork: true });
  const report: { header?: { glibcVersionRuntime?: string } } = process.report.getReport();
  return parseGlibc(report.header?.glibcVersionRuntime ?? '');
}

/** Reads `2.36`, also at the start of a longer text. */
export function parseGlibc(text: string): Glibc | undefined {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(text) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor)];
}

export const isNewer = (a: Glibc, b: Glibc): boolean => a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);
