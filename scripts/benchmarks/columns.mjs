import { decimals } from './table.mjs';

const number = (title, digits, read) => ({ title, right: true, value: (row) => decimals(digits)(read(row)) });
/** Milliseconds of processor time for a request, service and database together. */
export const totalCpu = ({ cpu, databaseCpu }) => cpu + (Number.isNaN(databaseCpu) ? 0 : databaseCpu);

/** One row per workload and system; × is how often the value that it is compared with. */
export const speedColumns = [
  { title: '', value: ({ workload }) => workload },
  { title: '', value: ({ name }) => name },
  number('requests/s', 0, ({ rate }) => rate),
  number('×', 2, ({ rate, limit }) => rate / limit.rate),
  number('p50 ms', 1, ({ p50 }) => p50),
  number('p99 ms', 1, ({ p99 }) => p99),
  number('CPU ms', 2, totalCpu),
  number('×', 2, (row) => totalCpu(row) / totalCpu(row.limit)),
  number('of it database', 2, ({ databaseCpu }) => databaseCpu),
  number('commands', 2, ({ commands }) => commands),
  number('bytes', 0, ({ bytes }) => bytes),
  number('RSS MB', 0, ({ memory }) => memory),
];

/** One row per question and world; × compares with the small world. */
export const growthColumns = [
  { title: 'request', value: ({ workload }) => workload },
  { title: 'articles', right: true, value: ({ name }) => name },
  number('requests/s', 0, ({ rate }) => rate),
  number('CPU ms', 2, totalCpu),
  number('×', 2, (row) => totalCpu(row) / totalCpu(row.small)),
  number('commands', 2, ({ commands }) => commands),
];

/** One row per sort, depth and way to ask for the page. */
export const depthColumns = [
  { title: 'sorted by', value: ({ sort }) => `\`${sort}\`` },
  { title: 'entries before', right: true, value: ({ depth }) => depth.toLocaleString('en') },
  { title: 'page', value: ({ name }) => name },
  number('requests/s', 0, ({ rate }) => rate),
  number('p50 ms', 1, ({ p50 }) => p50),
  number('CPU ms', 2, totalCpu),
  number('×', 2, (row) => totalCpu(row) / totalCpu(row.first)),
];

/** One row per order. */
export const sortColumns = [
  { title: '`GET /api/articles?sort=…`', value: ({ name }) => `\`${name}\`` },
  number('p50 ms', 0, ({ p50 }) => p50),
  number('CPU ms', 0, totalCpu),
  number('×', 2, (row) => totalCpu(row) / totalCpu(row.first)),
];

/** One row per kind of code. */
export const codeColumns = [
  { title: 'controller of articles', value: ({ name }) => name },
  number('requests/s', 0, ({ rate }) => rate),
  number('p50 ms', 1, ({ p50 }) => p50),
  number('CPU ms', 2, totalCpu),
  number('×', 2, (row) => totalCpu(row) / totalCpu(row.first)),
  number('ready ms', 0, ({ ready }) => ready),
];

/** The highest memory of a process, and by how much it is above that at the start. */
const memoryPeak = [number('peak', 0, ({ most }) => most), number('growth', 0, ({ start, most }) => most - start)];

/** One row per content and store. */
export const uploadColumns = [
  { title: '200 files', value: ({ name }) => name },
  number('MB each', 1, ({ megabytes }) => megabytes),
  number('files/s', 1, ({ rate }) => rate),
  number('RSS MB at start', 0, ({ start }) => start),
  ...memoryPeak,
];

/** One row per number of clients and way to take the answer; × is how often all answers that are under way. */
export const longColumns = [
  { title: 'clients', right: true, value: ({ connections }) => String(connections) },
  { title: 'reader', value: ({ name }) => name },
  number('MB each', 1, ({ megabytes }) => megabytes),
  number('RSS MB before', 0, ({ start }) => start),
  ...memoryPeak,
  number('×', 1, ({ start, most, connections, megabytes }) => ((most - start) * 1.048576) / (connections * megabytes)),
  number('CPU ms', 0, ({ cpu }) => cpu),
];

/** One row per project and database: of a start in milliseconds, its median and the worst. */
export const startColumns = [
  { title: 'a second start', value: ({ name }) => name },
  number('first response ms', 0, ({ answered }) => answered),
  number('worst', 0, ({ worstAnswered }) => worstAnswered),
  number('`Ready` ms', 0, ({ ready }) => ready),
  number('worst', 0, ({ worstReady }) => worstReady),
  number('CPU ms', 0, ({ cpu }) => cpu),
  number('RSS MB', 0, ({ memory }) => memory),
];

/** One row per form of a project that is started in turns. */
export const startInTurnsColumns = [
  { title: 'a second start', value: ({ name }) => name },
  number('`Ready` ms', 0, ({ ready }) => ready),
  number('best', 0, ({ best }) => best),
  number('worst', 0, ({ worstReady }) => worstReady),
  number('CPU ms', 0, ({ cpu }) => cpu),
];

/** One row per database. */
export const memoryColumns = [
  { title: 'RSS in MB', value: ({ name }) => name },
  number('service after start', 0, ({ start }) => start.service),
  number('after 10,000 requests', 0, ({ early }) => early.service),
  number('after 200,000', 0, ({ late }) => late.service),
  number('its engine after start', 0, ({ start }) => start.engine),
  number('after 10,000 requests', 0, ({ early }) => early.engine),
  number('after 200,000', 0, ({ late }) => late.engine),
];

/** × is how often the value without locales. */
export const localeColumns = speedColumns.filter(({ title }) => title !== 'RSS MB');
