import { isRecord } from '../../../config/record.js';
import { StartError } from '../../../errors/start-error.js';
import type { S3Settings } from './s3-store.js';

type Options = Readonly<Record<string, unknown>>;

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
export function parseS3({ rootPath = '', baseUrl, s3Options, ...top }: Options, actions: Options): S3Settings {
  const unknown = Object.keys(top).find((name) => !legacy.has(name));
  if (unknown !== undefined) throw wrong(unknown, 'is unknown; allowed: baseUrl, rootPath, s3Options');
  if (typeof rootPath !== 'string') throw wrong('rootPath', 'must be a string, e.g. "magazine"');
  const isServed = baseUrl === undefined || baseUrl === '';
  if (!isServed && (typeof baseUrl !== 'string' || !URL.canParse(baseUrl))) {
    throw wrong('baseUrl', 'must be a URL, e.g. "https://cdn.example.org"');
  }
  const { params, ...client } = { ...top, ...(isRecord(s3Options) && s3Options) } as Options;
  const { Bucket: bucket, ACL: acl } = isRecord(params) ? params : {};
  if (typeof bucket !== 'string' || bucket === '') throw wrong('s3Options.params.Bucket', 'must name a bucket');
  const folder = rootPath.replaceAll(/^\/+|\/+$/g, '');
  const prefix = folder === '' ? '' : `${folder}/`;
  return {
    bucket,
    prefix,
    client: clientOf(client),
    put: { ...(typeof acl === 'string' && { ACL: acl }), ...parametersOf(actions, 'upload', 'uploadStream') },
    remove: parametersOf(actions, 'delete'),
    ...(!isServed && { address: `${baseUrl.replace(/\/+$/, '')}/${prefix}` }),
  };
}

const parametersOf = (actions: Options, ...names: readonly string[]): Options =>
  Object.assign({}, ...names.map((name) => actions[name])) as Options;

/** The options of the AWS SDK 3 client, also converted from those of SDK 2. */
function clientOf({
  accessKeyId,
  secretAccessKey,
  sessionToken,
  endpoint,
  s3ForcePathStyle,
  signatureVersion: _alwaysFour,
  ...client
}: Options): S3Settings['client'] {
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
  new StartError(`upload.config.providerOptions.${name} ${rule}`);
