import { StartError } from '../../../errors/start-error.js';
import { isObject } from '../../../query/parse/input.js';
import type { S3Settings } from './s3-store.js';

/** Where files are kept, and what that needs. */
export type Provider =
  { readonly kind: 'local' } | { readonly kind: 'gridfs' } | { readonly kind: 'aws-s3'; readonly s3: S3Settings };

type Options = Readonly<Record<string, unknown>>;

/** By the name in the settings, which is also what is recorded of each file. */
const parsers: Readonly<Record<string, (options: Options, actions: Actions) => Provider>> = {
  local: (_, actions) => ({ kind: 'local', ...withoutActions(actions) }),
  gridfs: (_, actions) => ({ kind: 'gridfs', ...withoutActions(actions) }),
  'aws-s3': (options, actions) => ({ kind: 'aws-s3', s3: { ...parseS3(options), ...parseActions(actions) } }),
};

/** Parameters of each action of Strapi v4's providers. */
type Actions = Readonly<Record<string, Options>>;

/** @throws StartError for parameters, as nothing would use them */
function withoutActions(actions: Actions): object {
  const [action] = Object.entries(actions).find(([, parameters]) => Object.keys(parameters).length > 0) ?? [];
  if (action === undefined) return {};
  throw new StartError(`upload.config.actionOptions.${action} has parameters, which only the provider aws-s3 takes`);
}

const parseActions = ({ upload, uploadStream, delete: remove }: Actions): Pick<S3Settings, 'put' | 'remove'> => ({
  put: { ...upload, ...uploadStream },
  remove: remove ?? {},
});

/** @throws StartError naming what is no action, or has no parameters */
function readActions(actions: unknown): Actions {
  if (!isObject(actions)) throw new StartError('upload.config.actionOptions must be an object');
  for (const [name, parameters] of Object.entries(actions)) {
    if (!['upload', 'uploadStream', 'delete'].includes(name)) {
      throw new StartError(`upload.config.actionOptions.${name} is unknown; allowed: upload, uploadStream, delete`);
    }
    if (!isObject(parameters)) throw new StartError(`upload.config.actionOptions.${name} must be an object`);
  }
  return actions as Actions;
}

/** How Strapi v4 calls the packages of its providers. */
const PACKAGE = '@strapi/provider-upload-';

/** @throws StartError naming what is wrong */
export function parseProvider(provider: unknown = 'local', options: unknown = {}, actions: unknown = {}): Provider {
  const name = String(provider).replace(PACKAGE, '');
  const parse = Object.hasOwn(parsers, name) ? parsers[name] : undefined;
  if (parse === undefined) {
    throw new StartError(`upload.config.provider is not known; allowed: ${Object.keys(parsers).join(', ')}`);
  }
  if (!isObject(options)) throw new StartError('upload.config.providerOptions must be an object');
  return parse(options, readActions(actions));
}

/** The options of Strapi v4's provider for S3, as far as they mean something here. */
function parseS3({ rootPath = '', s3Options, ...others }: Options): Omit<S3Settings, 'put' | 'remove'> {
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) {
    const hint = stranger === 'baseUrl' ? ' (files are served by the service itself; a CDN belongs before it)' : '';
    throw wrong(stranger, `is unknown${hint}; allowed: rootPath, s3Options`);
  }
  if (typeof rootPath !== 'string') throw wrong('rootPath', 'must be a string, e.g. "magazine"');
  const { params, accessKeyId, secretAccessKey, ...client } = isObject(s3Options) ? s3Options : {};
  const bucket = isObject(params) ? params['Bucket'] : undefined;
  if (typeof bucket !== 'string' || bucket === '') throw wrong('s3Options.params.Bucket', 'must name a bucket');
  const folder = rootPath.replaceAll(/^\/+|\/+$/g, '');
  const isOld = typeof accessKeyId === 'string' && typeof secretAccessKey === 'string';
  return {
    bucket,
    prefix: folder === '' ? '' : `${folder}/`,
    client: { ...client, ...(isOld && { credentials: { accessKeyId, secretAccessKey } }) },
  };
}

const wrong = (name: string, rule: string): StartError =>
  new StartError(`upload.config.providerOptions.${name} ${rule}`);
