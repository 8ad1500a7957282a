/** The names of browsers, and what tells them in a `User-Agent`: most name others too, so the first row counts. */
const browsers: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|HeadlessChrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];

const systems: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

/** Characters of a header that are looked at. */
const MOST_READ = 500;

const nameIn = (text: string, table: typeof browsers): string | null =>
  table.find(([, pattern]) => pattern.test(text))?.[0] ?? null;

/** What a `User-Agent` says in names that people know; null: something else. Nothing of the header itself is kept. */
export function deviceOf(userAgent = ''): { readonly browser: string | null; readonly system: string | null } {
  const text = userAgent.slice(0, MOST_READ);
  return { browser: nameIn(text, browsers), system: nameIn(text, systems) };
}
