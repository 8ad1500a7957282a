import { Kind, OperationTypeNode, parse } from 'graphql';
import { isRecord } from '../../../config/record.js';

/** A request that is sent to both servers. */
export interface SentRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** JSON, of GraphQL. */
  readonly body?: string | undefined;
  readonly authorization?: string | undefined;
}

/** Whether a request only reads: GET and HEAD, and GraphQL without mutations. */
export function isRead({ method, path, body }: SentRequest): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return true;
  return method === 'POST' && isGraphql(path) && body !== undefined && isQuery(body);
}

export const isGraphql = (path: string): boolean => /\/graphql\/?(?:\?|$)/.test(path);

/** What cannot be parsed is refused by both servers. */
function isQuery(body: string): boolean {
  try {
    const request: unknown = JSON.parse(body);
    const { definitions } = parse(String(isRecord(request) ? request['query'] : ''));
    return definitions.every(
      (definition) => definition.kind !== Kind.OPERATION_DEFINITION || definition.operation === OperationTypeNode.QUERY,
    );
  } catch {
    return true;
  }
}

/** A request as reports name it, without credentials: an authorization is named if it is not a bearer token. */
export function nameOf({ method, path, body, authorization = '' }: SentRequest): string {
  const [scheme = '', credentials] = authorization.split(' ');
  const isNamed = scheme !== '' && (credentials === undefined || !/^bearer$/i.test(scheme));
  const shown = body !== undefined && body.length > MAX_BODY ? `${body.slice(0, MAX_BODY)}…` : body;
  return [method, path, ...(isNamed ? [`(Authorization: ${scheme} …)`] : []), ...(shown ? [shown] : [])].join(' ');
}

/** Characters of a body that a report shows. */
const MAX_BODY = 300;
