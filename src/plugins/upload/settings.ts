import type { FindProvider } from '../../config/project/find-provider.js';
import { isRecord, type Data } from '../../config/record.js';
import * as shapes from '../../content-types/model/settings-schema.js';
import type { Tolerate } from '../contract/plugin.js';
import { readSettings } from '../contract/read-settings.js';
import { parseProvider } from './storage/provider.js';

const types = {
  expected: 'a list of types such as "image/*"',
  test: (value: unknown): value is readonly string[] =>
    shapes.strings.test(value) && value.every((type) => /^[\w.+-]+\/(?:\*|[\w.+-]+)$/.test(type)),
};
const widths = {
  expected: 'names with a width in pixels, e.g. { "small": 500 }',
  test: (value: unknown): value is Readonly<Record<string, number | undefined>> =>
    isRecord(value) &&
    Object.entries(value).every(
      ([name, width]) => /^[A-Za-z][A-Za-z0-9]*$/.test(name) && (width === undefined || shapes.positive.test(width)),
    ),
};

/** `config` of this plugin in the plugins file. */
const options = {
  /** Bytes of one file. */
  sizeLimit: shapes.positive,
  /** Bytes of one request. */
  requestLimit: shapes.positive,
  /** Files in one request. */
  filesLimit: shapes.positive,
  /** Pixels of one image; larger ones are refused before they are decoded. */
  pixelLimit: shapes.positive,
  /** The time limit in seconds for processing one image. */
  imageTime: shapes.positive,
  /** Images that are processed concurrently; each needs memory and a processor. */
  imagesAtOnce: shapes.positive,
  /** Stores images with quality 80 if that makes them smaller. */
  sizeOptimization: shapes.boolean,
  /** Creates the sizes of `breakpoints`. */
  responsiveDimensions: shapes.boolean,
  /** Rotates images according to their EXIF data, which is removed. */
  autoOrientation: shapes.boolean,
  /** The maximum width of each size of an image. */
  breakpoints: widths,
  /** Allowed types, e.g. `image/*`; none: all except the denied ones. */
  allowedTypes: types,
  deniedTypes: types,
  /** Serves the routes for folders. */
  folders: shapes.boolean,
  /** For how many days deleted files are kept, so that they can be restored; none: deletions are final. */
  trash: shapes.positive,
  /** The URL of a private file redirects to a signed one only for callers with the permission to read files. */
  restrictPrivateFiles: shapes.boolean,
  /** Seconds for which browsers cache a file. */
  maxAge: shapes.positive,
  provider: shapes.string,
  providerOptions: shapes.anything,
  actionOptions: shapes.record,
};

/** As in Strapi v4. */
const standardWidths: Readonly<Record<string, number>> = { large: 1000, medium: 750, small: 500 };

/** What limits uploads, and decides where files are and who sees them. */
const guarding = [
  'sizeLimit',
  'requestLimit',
  'filesLimit',
  'pixelLimit',
  'imageTime',
  'imagesAtOnce',
  'allowedTypes',
  'deniedTypes',
  'folders',
  'restrictPrivateFiles',
  'provider',
  'providerOptions',
];

export type UploadSettings = ReturnType<typeof parseSettings>;

/**
 * @param find finds packages of providers
 * @param tolerate receives a line for each setting that has no effect, see `PluginFactory`
 * @throws StartError with a line for each error
 */
export function parseSettings(config: Data, find: FindProvider = () => undefined, tolerate?: Tolerate) {
  return readSettings(
    'upload',
    tolerate,
    ({ read, refuse }) => {
      const {
        provider: name = 'local',
        providerOptions = {},
        actionOptions = {},
        breakpoints = {},
        ...chosen
      } = read(config, options);
      // As in Strapi v4, a width without a value is none.
      const widths = Object.entries(breakpoints).filter((entry): entry is [string, number] => entry[1] !== undefined);
      const provider = parseProvider(name, providerOptions, actionOptions, find, refuse);
      return {
        sizeLimit: 200 * 2 ** 20,
        requestLimit: 2 ** 30,
        filesLimit: 50,
        // Photos of 24 megapixels have up to 24.5 million.
        pixelLimit: 25_000_000,
        imageTime: 20,
        imagesAtOnce: 1,
        sizeOptimization: true,
        responsiveDimensions: true,
        autoOrientation: true,
        // As in Strapi v4.
        breakpoints: widths.length > 0 ? Object.fromEntries(widths) : standardWidths,
        allowedTypes: [],
        deniedTypes: [],
        folders: false,
        trash: undefined,
        restrictPrivateFiles: false,
        maxAge: 86_400,
        ...(provider.kind === 'local' && localOptions(providerOptions)),
        ...chosen,
        provider,
      };
    },
    guarding,
  );
}

/** The options of Strapi v4's provider `local`: its limit of sizes, and milliseconds for which browsers keep a file. */
function localOptions(options: unknown): { readonly sizeLimit?: number; readonly maxAge?: number } {
  const { sizeLimit, localServer } = isRecord(options) ? options : {};
  const maxAge = isRecord(localServer) ? Number(localServer['maxage']) / 1000 : Number.NaN;
  return {
    ...(shapes.positive.test(sizeLimit) && { sizeLimit }),
    ...(maxAge >= 0 && { maxAge: Math.round(maxAge) }),
  };
}
