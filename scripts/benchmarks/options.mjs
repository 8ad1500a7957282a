import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { workloads } from './workloads.mjs';

const settings = {
  only: { type: 'string', default: Object.keys(workloads).join(',') },
  rounds: { type: 'string', default: '5' },
  starts: { type: 'string', default: '1' },
  seconds: { type: 'string', default: '4' },
  connections: { type: 'string', default: '16' },
  count: { type: 'string', default: '10000' },
  sizes: { type: 'string', default: '1000,100000' },
  processes: { type: 'string', default: `1,${availableParallelism()}` },
  share: { type: 'string' },
  against: { type: 'string' },
};

/**
 * The options of the command line; stops the process with a message when one is invalid.
 * @param modes the names of the measurements, each of which is a flag
 */
export function readOptions(modes) {
  const flags = ['markdown', ...modes].map((name) => [name, { type: 'boolean', default: false }]);
  const values = readWords({ ...settings, ...Object.fromEntries(flags) });
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
    ...values,
    // In their own order: what writes comes last, because the data grows.
    only: Object.keys(workloads).filter((name) => names.includes(name)),
    rounds: number('rounds'),
    starts: number('starts'),
    seconds: number('seconds'),
    connections: number('connections'),
    count: number('count'),
    sizes: numbers('sizes'),
    processes: numbers('processes'),
    share: values.share === undefined ? undefined : number('share'),
  };
}

function readWords(words) {
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
