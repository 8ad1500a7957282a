import { randomBytes } from 'node:crypto';
import { AppError } from '../../errors/app-error.js';
import { wrongName } from '../../errors/nearest-name.js';
import type { Delivery, WebhookRecords } from '../../mongo/events/webhook-records.js';
import type { Command, CommandInput, CommandResult, PluginContext } from '../contract/plugin.js';
import type { EventForm } from '../contract/event-form.js';
import { isSuccess } from '../contract/http/circuit.js';
import { findUrlProblem } from '../contract/http/receiver.js';
import type { Outcome, OutgoingRequest } from '../contract/http/send.js';
import { eventsOf, findHeaderProblem, findSizeProblem, parseFormat } from './parse-webhooks.js';
import { headersOf, type Webhook } from './webhook.js';

export interface CommandParts {
  readonly context: PluginContext;
  readonly forms: readonly EventForm[];
  readonly records: WebhookRecords;
  /** The declared webhooks, and those that were added. */
  readonly list: () => Promise<readonly Webhook[]>;
  readonly defaultHeaders: Readonly<Record<string, string>>;
  readonly send: (request: OutgoingRequest) => Promise<Outcome>;
}

const MAX_LISTED = 1000;
const LISTED = 20;

export const webhookCommands = (parts: () => CommandParts): readonly Command[] => [
  {
    usage: 'webhooks list',
    description: 'list the webhooks: those of config/webhooks.json, and those that were added',
    run: async () => ({ rows: (await parts().list()).map(rowOf) }),
  },
  {
    usage: 'webhooks add <name> <url>',
    description: 'add a webhook, which receives the events from now on; running services find it within 5 seconds',
    options: {
      '--events <names...>': `default: all but entry.publish and entry.unpublish`,
      '--types <uids...>': 'content types, e.g. api::article.article; default: all',
      '--header <headers...>': 'e.g. "X-Site: www"',
      '--format <format>': 'of the events: 4, the default, or that of a plugin, such as 5 of strapi5',
      '--signed': 'sign the requests: a secret is generated and shown once',
    },
    run: (input) => add(parts(), input),
  },
  {
    usage: 'webhooks remove <name>',
    description: 'remove a webhook that was added, with its deliveries',
    run: (input) => remove(parts(), input),
  },
  {
    usage: 'webhooks test <name>',
    description: 'send the event trigger-test to a webhook',
    run: (input) => sendTest(parts(), input),
  },
  {
    usage: 'webhooks deliveries [name]',
    description: 'list the latest deliveries, of one webhook or of all',
    options: { '--limit <number>': `default ${LISTED}, at most ${MAX_LISTED}` },
    run: (input) => listDeliveries(parts(), input),
  },
  {
    usage: 'webhooks redeliver <id>',
    description: 'send a delivery again',
    run: (input) => redeliver(parts(), input),
  },
];

async function add({ context, forms, records, list }: CommandParts, input: CommandInput): Promise<CommandResult> {
  const { name, url, signed } = input;
  const listOf = (value: CommandInput[string]): readonly string[] => [value ?? []].flat().map(String);
  const [events, types] = [listOf(input['events']), listOf(input['types'])];
  const problem = findUrlProblem(String(url));
  if (problem !== undefined) throw new AppError('application', `url ${problem}`);
  const format = parseFormat(input['format'], forms, (message) => {
    throw new AppError('application', `--format ${String(input['format'])} ${message}`);
  });
  const known = eventsOf(format, forms);
  check(events, known, 'event');
  check(types, [...context.registry.contentTypes.keys()], 'content type');
  if ((await list()).some((webhook) => webhook.name === name)) {
    throw new AppError('application', `there is a webhook with the name "${String(name)}"`);
  }
  const headers = Object.fromEntries(listOf(input['header']).map(parseHeader));
  const sizeProblem = findSizeProblem(headers);
  if (sizeProblem !== undefined) throw new AppError('application', `--header ${sizeProblem}`);
  const secret = signed === true ? randomBytes(32).toString('base64url') : undefined;
  const webhook = await records.add({
    name: String(name),
    url: String(url),
    headers,
    events: events.length > 0 ? events : known.filter((event) => format !== undefined || !event.endsWith('publish')),
    ...(format !== undefined && { format }),
    ...(types.length > 0 && { types }),
    ...(secret !== undefined && { secret }),
    isEnabled: true,
  });
  const notes = secret === undefined ? [] : ['The secret is shown only once.'];
  return { rows: [{ ...rowOf(webhook), ...(secret !== undefined && { secret }) }], notes };
}

async function remove(parts: CommandParts, { name }: CommandInput): Promise<CommandResult> {
  const { id } = await findWebhook(parts, name);
  if (id === undefined) throw new AppError('application', `config/webhooks.json declares ${String(name)}`);
  await parts.records.remove(id);
  return { rows: [{ removed: name }] };
}

async function sendTest(parts: CommandParts, { name }: CommandInput): Promise<CommandResult> {
  const webhook = await findWebhook(parts, name);
  const body = JSON.stringify({ event: 'trigger-test', createdAt: new Date() });
  const test = { _id: `${webhook.key}/test`, event: 'trigger-test', body };
  const headers = headersOf(webhook, test, parts.defaultHeaders, new Date());
  const outcome = await parts.send({ url: webhook.url, headers, body });
  const { status, error, milliseconds } = outcome;
  if (!isSuccess(outcome)) throw new AppError('application', `${webhook.url}: ${error ?? `status ${status}`}`);
  return { rows: [{ status, milliseconds }] };
}

async function listDeliveries(
  parts: CommandParts,
  { name, limit = String(LISTED) }: CommandInput,
): Promise<CommandResult> {
  const number = Number(limit);
  if (!Number.isInteger(number) || number < 1 || number > MAX_LISTED) {
    throw new AppError('application', `--limit must be an integer from 1 to ${MAX_LISTED}`);
  }
  const hook = name === undefined ? undefined : (await findWebhook(parts, name)).key;
  return { rows: (await parts.records.latest(hook, number)).map(deliveryRow) };
}

async function redeliver({ records }: CommandParts, { id }: CommandInput): Promise<CommandResult> {
  const delivery = await records.find(String(id));
  if (delivery === undefined) throw new AppError('application', `unknown delivery "${String(id)}"`);
  const now = new Date();
  const again: Delivery = { ...delivery, state: 'waiting', tries: 0, at: now, next: now };
  await records.save([again]);
  return { rows: [deliveryRow(again)], notes: ['A running service sends it.'] };
}

function parseHeader(header: string): readonly [string, string] {
  const [, name, value = ''] = /^([^:]+):\s*(.*)$/.exec(header) ?? [];
  // The value, which can be a secret, is not repeated.
  if (name === undefined) throw new AppError('application', '--header must have the form "Name: value"');
  const problem = findHeaderProblem(name, value);
  if (problem !== undefined) throw new AppError('application', `--header ${name}: ${problem}`);
  return [name, value];
}

function check(names: readonly string[], all: readonly string[], what: string): void {
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new AppError('application', wrongName(unknown, what, all));
}

async function findWebhook({ list }: CommandParts, name: CommandInput[string]): Promise<Webhook> {
  const webhooks = await list();
  const declared = webhooks.find((webhook) => webhook.name === name);
  if (declared !== undefined) return declared;
  const names = webhooks.map((webhook) => webhook.name);
  throw new AppError('application', wrongName(String(name), 'webhook', names));
}

const rowOf = ({ name, url, events, types, format, isEnabled, id, secret }: Webhook) => ({
  name,
  url,
  events: events.join(' '),
  types: types?.join(' ') ?? null,
  format: format ?? '4',
  signed: secret !== undefined,
  enabled: isEnabled,
  declared: id === undefined,
});

const deliveryRow = ({ _id: id, event, state, tries, status, milliseconds, error, at, next }: Delivery) => ({
  id,
  event,
  at: at.toISOString(),
  state,
  tries,
  status: status ?? null,
  milliseconds: milliseconds ?? null,
  error: error ?? null,
  next: state === 'waiting' ? next.toISOString() : null,
});
