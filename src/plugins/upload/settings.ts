import type { FindProvider } from '../../config/project/find-provider.js';
import { isRecord } from '../../config/record.js';
import { StartError } from '../../errors/start-error.js';
import type { Tolerate } from '../contract/plugin.js';
import { parseProvider, type Provider } from './storage/provider.js';

/** The maximum width of each size of an image, as in Strapi v4. */
const breakpoints: Readonly<Record<string, number>> = { large: 1000, medium: 750, small: 500 };

/** Every setting and its default; the default's type is the setting's. */
const defaults = {
  /** Bytes of one file. */
  sizeLimit: 200 * 2 ** 20,
  /** Bytes of one request. */
  requestLimit: 2 ** 30,
  /** Files in one request. */
  filesLimit: 50,
  /** Pixels of one image; larger ones are refused before they are decoded. */
  pixelLimit: 64_000_000,
  /** The time limit in seconds for processing one image. */
  imageTime: 20,
  /** Images that are processed concurrently; each needs memory and a processor. */
  imagesAtOnce: 1,
  /** Stores images with quality 80 if that makes them smaller. */
  sizeOptimization: true,
  /** Creates the sizes of `breakpoints`. */
  responsiveDimensions: true,
  /** Rotates images according to their EXIF data, which is removed. */
  autoOrientation: true,
  breakpoints,
  /** Allowed types, e.g. `image/*`; none: all except the denied ones. */
  allowedTypes: [] as readonly string[],
  deniedTypes: [] as readonly string[],
  /** Serves the routes for folders. */
  folders: false,
  /** Seconds for which browsers cache a file. */
  maxAge: 86_400,
} as const;

type Widened<T> = T extends number ? number : T extends boolean ? boolean : T;

export type UploadSettings = { readonly [K in keyof typeof defaults]: Widened<(typeof defaults)[K]> } & {
  readonly provider: Provider;
};

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

const isListOfTypes = (value: unknown): boolean =>
  Array.isArray(value) && value.every((type) => typeof type === 'string' && /^[\w.+-]+\/(?:\*|[\w.+-]+)$/.test(type));

const isBreakpoints = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(([name, width]) => /^[A-Za-z][A-Za-z0-9]*$/.test(name) && isCount(width));

/** The allowed values of a setting, by the type of its default. */
function ruleOf(fallback: unknown): { readonly allows: (value: unknown) => boolean; readonly allowed: string } {
  if (typeof fallback === 'number') return { allows: isCount, allowed: 'a whole number from 1' };
  if (typeof fallback === 'boolean') {
    return { allows: (value) => typeof value === 'boolean', allowed: 'true or false' };
  }
  if (Array.isArray(fallback)) return { allows: isListOfTypes, allowed: 'a list of types such as "image/*"' };
  return { allows: isBreakpoints, allowed: 'names with a width in pixels, e.g. { "small": 500 }' };
}

/**
 * The plugin's settings, completed by the defaults.
 * @param find finds packages of providers
 * @param tolerate receives a line for each setting that has no effect, see `PluginFactory`
 * @throws StartError with a line for each error
 */
export function parseSettings(
  { provider, providerOptions, actionOptions, ...config }: Readonly<Record<string, unknown>>,
  find: FindProvider = () => undefined,
  tolerate?: Tolerate,
): UploadSettings {
  const isSetting = (name: string): boolean => Object.hasOwn(defaults, name);
  const names = [...Object.keys(defaults), 'provider', 'providerOptions', 'actionOptions'].join(', ');
  const others = Object.keys(config).filter((name) => !isSetting(name));
  if (tolerate) for (const name of others) tolerate(`upload.config.${name} has no effect; allowed: ${names}`);
  const settings = Object.entries(config).filter(([name]) => isSetting(name));
  const problems = [
    ...(tolerate ? [] : others.map((name) => `upload.config.${name} is unknown; allowed: ${names}`)),
    ...settings.flatMap(([name, value]) => {
      const { allows, allowed } = ruleOf(defaults[name as keyof typeof defaults]);
      return allows(value) ? [] : [`upload.config.${name} has a value that is not allowed; allowed: ${allowed}`];
    }),
  ];
  if (problems.length > 0) throw new StartError(problems.join('\n'));
  const chosen = parseProvider({ provider, providerOptions, actionOptions }, find);
  const local = chosen.kind === 'local' ? localOptions(providerOptions) : {};
  return { ...defaults, ...local, ...Object.fromEntries(settings), provider: chosen };
}

/** The options of Strapi v4's provider `local`: its limit of sizes, and milliseconds for which browsers keep a file. */
function localOptions(options: unknown): Partial<UploadSettings> {
  const { sizeLimit, localServer } = isRecord(options) ? options : {};
  const maxAge = isRecord(localServer) ? Number(localServer['maxage']) / 1000 : Number.NaN;
  return {
    ...(isCount(sizeLimit) && { sizeLimit: Number(sizeLimit) }),
    ...(maxAge >= 0 && { maxAge: Math.round(maxAge) }),
  };
}
