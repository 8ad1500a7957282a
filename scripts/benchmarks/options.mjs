import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { workloads } from './workloads.mjs';

const words = {
  only: { type: 'string', default: Object.keys(workloads).join(',') },
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '4' },
  connections: { type: 'string', default: '16' },
  count: { type: 'string', default: '10000' },
  sizes: { type: 'string', default: '1000,100000' },
  processes: { type: 'string', default: `1,${availableParallelism()}` },
  share: { type: 'string' },
  against: { type: 'string' },
  markdown: { type: 'boolean', default: false },
  memory: { type: 'boolean', default: false },
  authorized: { type: 'boolean', default: false },
  growth: { type: 'boolean', default: false },
  cache: { type: 'boolean', default: false },
  cluster: { type: 'boolean', default: false },
  depth: { type: 'boolean', default: false },
  sorts: { type: 'boolean', default: false },
  code: { type: 'boolean', default: false },
  locales: { type: 'boolean', default: false },
  tags: { type: 'boolean', default: false },
  uploads: { type: 'boolean', default: false },
  long: { type: 'boolean', default: false },
  start: { type: 'boolean', default: false },
  'code-start': { type: 'boolean', default: false },
  'mcp-start': { type: 'boolean', default: false },
};

/** The options of the command line; stops the process with a message when one is invalid. */
export function readOptions() {
  const values = readWords();
  const toNumber = (name, text) => {
    const value = Number(text);
    if (!(value > 0)) stop(`--${name} must be a number above 0`);
    return value;
  };
  const number = (name) => toNumber(name, values[name]);
  const numbers = (name) => values[name].split(',').map((text) => toNumber(name, text));
  const names = values.only.toUpperCase().split(',');
  const unknown = names.find((name) => !Object.hasOwn(workloads, name));
  if (unknown !== undefined) stop(`--only ${unknown}: there are ${Object.keys(workloads).join(', ')}`);
  return {
    // In their own order: what writes comes last, because the data grows.
    only: Object.keys(workloads).filter((name) => names.includes(name)),
    rounds: number('rounds'),
    seconds: number('seconds'),
    connections: number('connections'),
    count: number('count'),
    sizes: numbers('sizes'),
    processes: numbers('processes'),
    share: values.share === undefined ? undefined : number('share'),
    against: values.against,
    markdown: values.markdown,
    memory: values.memory,
    authorized: values.authorized,
    growth: values.growth,
    cache: values.cache,
    cluster: values.cluster,
    depth: values.depth,
    sorts: values.sorts,
    code: values.code,
    locales: values.locales,
    tags: values.tags,
    uploads: values.uploads,
    long: values.long,
    start: values.start,
    'code-start': values['code-start'],
    'mcp-start': values['mcp-start'],
  };
}

function readWords() {
  try {
    return parseArgs({ options: words }).values;
  } catch (error) {
    return stop(
      `${error.message}; there are ${Object.keys(words)
        .map((name) => `--${name}`)
        .join(', ')}`,
    );
  }
}

function stop(reason) {
  console.error(reason);
  process.exit(2);
}
