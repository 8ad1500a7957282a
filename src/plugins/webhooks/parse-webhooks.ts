import path from 'node:path';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { wrongName } from '../../errors/nearest-name.js';
import type { Report } from '../../content-types/load/report.js';
import * as shapes from '../../content-types/model/settings-schema.js';
import type { Registry } from '../../content-types/model/types.js';
import { findUrlProblem } from '../contract/http/receiver.js';
import type { EventForm } from '../contract/event-form.js';
import type { ServiceSettings } from '../contract/plugin-context.js';
import { readDeclaration, type Declaration } from '../contract/read-declaration.js';
import { webhookEvents, type Webhook } from './webhook.js';

/** What webhooks can name. */
interface Known extends Pick<Registry, 'contentTypes'> {
  /** The forms of events beside that of Strapi v4. */
  readonly forms: readonly EventForm[];
}

/** The format of events unless a webhook names another. */
const STRAPI_V4 = '4';

const fileShape = { $schema: shapes.string, defaultHeaders: shapes.record, webhooks: shapes.list };
const webhookShape = {
  name: shapes.string,
  url: shapes.string,
  headers: shapes.record,
  events: shapes.strings,
  contentTypes: shapes.strings,
  enabled: shapes.boolean,
  secret: shapes.anything,
  format: shapes.anything,
};

/**
 * Reads `config/webhooks.json` of a project; without it nothing is declared.
 * @throws StartError with a line for each error
 */
export const readDeclaredWebhooks = (settings: ServiceSettings, known: Known) =>
  readDeclaration(path.join('config', 'webhooks.json'), settings, (file) => parseWebhooks(file, known)) ?? {
    webhooks: [],
    defaultHeaders: {},
  };

/** The webhooks, and the headers of every request. */
export function parseWebhooks(declaration: Declaration, known: Known) {
  const { content, read, report } = declaration;
  const { defaultHeaders = {}, webhooks = [] } = read(content, fileShape);
  const parsed = webhooks.map((webhook, index) => parseWebhook(webhook, `webhooks[${index}]`, declaration, known));
  const names = parsed.map(({ name }) => name);
  for (const twice of new Set(names.filter((name, index) => names.indexOf(name) < index))) {
    report('webhooks', `have the name "${twice}" twice`);
  }
  return { webhooks: parsed, defaultHeaders: parseHeaders(defaultHeaders, 'defaultHeaders', report) };
}

function parseWebhook(
  input: unknown,
  at: string,
  declaration: Declaration,
  { contentTypes: all, forms }: Known,
): Webhook {
  const { read, report, isReached } = declaration;
  const declared = read(input, webhookShape, `${at}.`);
  const { name = '', url = '', headers = {}, events = [], contentTypes, enabled = true } = declared;
  if (name === '') report(`${at}.name`, 'is missing; deliveries are listed by it');
  const problem = findUrlProblem(url);
  if (problem !== undefined) report(`${at}.url`, problem);
  if (events.length === 0) report(`${at}.events`, `is missing, e.g. ["entry.create"]`);
  const format = parseFormat(declared.format, forms, (message) => report(`${at}.format`, message));
  checkNames(events, eventsOf(format, forms), 'event', `${at}.events`, report);
  checkNames(contentTypes ?? [], [...all.keys()], 'content type', `${at}.contentTypes`, report);
  const secret = declaration.secret(declared.secret, `${at}.secret`);
  return {
    key: `config:${name}`,
    name,
    url,
    headers: parseHeaders(headers, `${at}.headers`, report),
    events,
    types: contentTypes,
    secret,
    format,
    isEnabled: enabled && secret !== '' && isReached(url),
  };
}

/** The name of a form of events; undefined: that of Strapi v4. @param report says why it is none */
export function parseFormat(
  value: unknown,
  forms: readonly EventForm[],
  report: (message: string) => void,
): string | undefined {
  if (value === undefined || String(value) === STRAPI_V4) return undefined;
  const form = forms.find(({ name }) => name === String(value));
  const names = [STRAPI_V4, ...forms.map(({ name }) => name)];
  if (form === undefined) report(`is a format that no plugin has; allowed: ${names.join(', ')}`);
  return form?.name;
}

/** The events of a format. */
export const eventsOf = (format: string | undefined, forms: readonly EventForm[]): readonly string[] =>
  forms.find(({ name }) => name === format)?.events ?? webhookEvents;

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
  const parsed = Object.fromEntries(entries) as Record<string, string>;
  const problem = findSizeProblem(parsed);
  if (problem !== undefined) report(at, problem);
  return parsed;
}

/** Characters of the names and values of headers together: servers refuse more than 8 kB. */
export const MOST_HEADER_CHARACTERS = 8000;

/** Why headers cannot be sent together; undefined if they can. */
export function findSizeProblem(headers: Readonly<Record<string, string>>): string | undefined {
  const characters = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return characters > MOST_HEADER_CHARACTERS
    ? `must have at most ${MOST_HEADER_CHARACTERS} characters together`
    : undefined;
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
