import type { FindProvider } from '../../../config/project/find-provider.js';
import { isRecord, type Data } from '../../../config/record.js';
import type { Report } from '../../../content-types/load/report.js';
import { StartError } from '../../../errors/start-error.js';
import type { S3Settings } from './s3-store.js';

/** A package by Strapi v4's contract of upload providers. */
export interface ProviderPackage {
  readonly kind: 'package';
  /** Its name in the settings, which is also recorded for each file. */
  readonly name: string;
  /** Its module; undefined if it is not installed. */
  readonly file: string | undefined;
  readonly options: unknown;
  /** Parameters of each action. */
  readonly actions: Data;
}

/** The configured store of files, with its options. */
export type Provider =
  | { readonly kind: 'local' }
  | { readonly kind: 'gridfs' }
  | { readonly kind: 'aws-s3'; readonly s3: S3Settings }
  | ProviderPackage;

/** The names of the built-in stores. */
export const storeNames: readonly string[] = [
  'local',
  'gridfs',
  'aws-s3',
  '@strapi/provider-upload-local',
  '@strapi/provider-upload-aws-s3',
];

/** Parameters by action. */
type Actions = Readonly<Record<string, Data>>;

/** @throws StartError naming an action without parameters */
function readActions(actions: Data, refuse: Report): Actions {
  for (const [name, parameters] of Object.entries(actions)) {
    if (!['upload', 'uploadStream', 'delete'].includes(name)) {
      refuse(`config.actionOptions.${name}`, 'is unknown; allowed: upload, uploadStream, delete');
    }
    if (!isRecord(parameters)) throw new StartError(`Plugin upload: config.actionOptions.${name} must be an object`);
  }
  return actions as Actions;
}

/** Strapi v4's names of provider packages. */
const PACKAGE = '@strapi/provider-upload-';

/**
 * An installed package takes precedence over a built-in store of the same name, except for `local`.
 * @param refuse reports an option that has no effect
 * @throws StartError with the cause
 */
export function parseProvider(
  provider: string,
  providerOptions: unknown,
  actionOptions: Data,
  find: FindProvider,
  refuse: Report,
): Provider {
  const name = provider.replace(PACKAGE, '');
  const file = name === 'local' ? undefined : find('upload', provider);
  if (file !== undefined || (name !== 'local' && name !== 'gridfs' && name !== 'aws-s3')) {
    return { kind: 'package', name: provider, file, options: providerOptions, actions: actionOptions };
  }
  if (!isRecord(providerOptions)) throw new StartError('Plugin upload: config.providerOptions must be an object');
  const actions = readActions(actionOptions, refuse);
  if (name === 'aws-s3') return { kind: name, s3: parseS3(providerOptions, actions, refuse) };
  const used = Object.keys(actions).find((action) => Object.keys(actions[action] ?? {}).length > 0);
  if (used === undefined) return { kind: name };
  throw new StartError(
    `Plugin upload: config.actionOptions.${used} has parameters, which the providers local and gridfs do not accept`,
  );
}

/** Client options that Strapi v4 accepts at the top level, as before `s3Options` existed. */
const legacy = new Set([
  'accessKeyId',
  'secretAccessKey',
  'sessionToken',
  'region',
  'endpoint',
  'forcePathStyle',
  's3ForcePathStyle',
  'signatureVersion',
  'params',
]);

/**
 * The options of Strapi v4's provider for S3, with the parameters of its actions.
 * @throws StartError with the cause
 */
function parseS3({ rootPath = '', baseUrl, s3Options, ...top }: Data, actions: Actions, refuse: Report): S3Settings {
  for (const name of Object.keys(top).filter((key) => !legacy.has(key))) {
    refuse(`config.providerOptions.${name}`, 'is unknown; allowed: baseUrl, rootPath, s3Options');
  }
  if (typeof rootPath !== 'string') throw wrong('rootPath', 'must be a string, e.g. "magazine"');
  const isServed = baseUrl === undefined || baseUrl === '';
  if (!isServed && (typeof baseUrl !== 'string' || !URL.canParse(baseUrl))) {
    throw wrong('baseUrl', 'must be a URL, e.g. "https://cdn.example.org"');
  }
  const { params, ...client } = { ...top, ...(isRecord(s3Options) && s3Options) } as Data;
  const { Bucket: bucket, ACL: acl } = isRecord(params) ? params : {};
  if (typeof bucket !== 'string' || bucket === '') throw wrong('s3Options.params.Bucket', 'must name a bucket');
  const folder = rootPath.replaceAll(/^\/+|\/+$/g, '');
  const prefix = folder === '' ? '' : `${folder}/`;
  return {
    bucket,
    prefix,
    client: clientOf(client),
    put: { ...(typeof acl === 'string' && { ACL: acl }), ...actions['upload'], ...actions['uploadStream'] },
    remove: { ...actions['delete'] },
    ...(!isServed && { address: `${baseUrl.replace(/\/+$/, '')}/${prefix}` }),
  };
}

/** The options of the AWS SDK 3 client, also converted from those of SDK 2. */
function clientOf({
  accessKeyId,
  secretAccessKey,
  sessionToken,
  endpoint,
  s3ForcePathStyle,
  signatureVersion: _alwaysFour,
  ...client
}: Data): S3Settings['client'] {
  const hasKeys = typeof accessKeyId === 'string' && typeof secretAccessKey === 'string';
  const session = typeof sessionToken === 'string' && { sessionToken };
  return {
    ...(typeof s3ForcePathStyle === 'boolean' && { forcePathStyle: s3ForcePathStyle }),
    ...client,
    ...(typeof endpoint === 'string' && { endpoint: endpoint.includes('://') ? endpoint : `https://${endpoint}` }),
    ...(hasKeys && { credentials: { accessKeyId, secretAccessKey, ...session } }),
  };
}

const wrong = (name: string, rule: string): StartError =>
  new StartError(`Plugin upload: config.providerOptions.${name} ${rule}`);
