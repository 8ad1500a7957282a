import path from 'node:path';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { wrongName } from '../../content-types/model/nearest-name.js';
import { reportTo, type Report } from '../../content-types/load/report.js';
import * as shapes from '../../content-types/model/settings-schema.js';
import type { Registry } from '../../content-types/model/types.js';
import { StartError } from '../../errors/start-error.js';
import { readDeclared } from '../../content-types/load/read-options.js';
import {
  findUrlProblem,
  isReached,
  parseSecret,
  readDeclaration,
  type SecretSource,
} from '../contract/http/receiver.js';
import { webhookEvents, type Webhook } from './webhook.js';

/** The names that webhooks can refer to. */
export interface WebhookContext extends SecretSource {
  readonly registry: Pick<Registry, 'contentTypes'>;
}

const fileShape = { $schema: shapes.string, defaultHeaders: shapes.record, webhooks: shapes.list };
const webhookShape = {
  name: shapes.string,
  url: shapes.string,
  headers: shapes.record,
  events: shapes.strings,
  contentTypes: shapes.strings,
  enabled: shapes.boolean,
  secret: shapes.anything,
};

/**
 * Reads `config/webhooks.json` of a project; without it nothing is declared.
 * @param folders where it may be
 * @throws StartError with a line for each error
 */
export function readDeclaredWebhooks(folders: readonly string[], context: WebhookContext) {
  const name = path.join('config', 'webhooks.json');
  const declared = readDeclaration(name, folders);
  return declared === undefined ? { webhooks: [], defaultHeaders: {} } : parseWebhooks(name, declared.content, context);
}

/** The webhooks, and the headers of every request. @throws StartError with a line for each error */
export function parseWebhooks(file: string, content: unknown, context: WebhookContext) {
  const mistakes: string[] = [];
  const report = reportTo(mistakes, file);
  const { defaultHeaders = {}, webhooks = [] } = readDeclared(content, fileShape, '', report);
  const parsed = webhooks.map((webhook, index) => parseWebhook(webhook, `webhooks[${index}]`, context, report));
  const names = parsed.map(({ name }) => name);
  for (const twice of new Set(names.filter((name, index) => names.indexOf(name) < index))) {
    report('webhooks', `have the name "${twice}" twice`);
  }
  const headers = parseHeaders(defaultHeaders, 'defaultHeaders', report);
  if (mistakes.length > 0) throw new StartError(mistakes.join('\n'));
  return { webhooks: parsed, defaultHeaders: headers };
}

function parseWebhook(input: unknown, at: string, context: WebhookContext, report: Report): Webhook {
  const declared = readDeclared(input, webhookShape, `${at}.`, report);
  const { name = '', url = '', headers = {}, events = [], contentTypes, enabled = true } = declared;
  if (name === '') report(`${at}.name`, 'is missing; deliveries are listed by it');
  const problem = findUrlProblem(url);
  if (problem !== undefined) report(`${at}.url`, problem);
  if (events.length === 0) report(`${at}.events`, `is missing, e.g. ["entry.create"]`);
  checkNames(events, webhookEvents, 'event', `${at}.events`, report);
  checkNames(
    contentTypes ?? [],
    [...context.registry.contentTypes.keys()],
    'content type',
    `${at}.contentTypes`,
    report,
  );
  const secret = parseSecret(declared.secret, `${at}.secret`, context, report);
  return {
    key: `config:${name}`,
    name,
    url,
    headers: parseHeaders(headers, `${at}.headers`, report),
    events,
    types: contentTypes,
    secret,
    isEnabled: enabled && secret !== '' && isReached(url, context.environment),
  };
}

function checkNames(names: readonly string[], all: readonly string[], what: string, at: string, report: Report): void {
  for (const [index, name] of names.entries()) {
    if (!all.includes(name)) report(`${at}[${index}]`, wrongName(name, what, all));
  }
}

function parseHeaders(
  headers: Readonly<Record<string, unknown>>,
  at: string,
  report: Report,
): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    const problem = findHeaderProblem(name, value);
    if (problem !== undefined) report(`${at}.${name}`, problem);
    return problem === undefined && typeof value === 'string' ? [[name, value]] : [];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Why it cannot be sent; undefined if it can. */
export function findHeaderProblem(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    return 'is not a valid header';
  }
  return undefined;
}
