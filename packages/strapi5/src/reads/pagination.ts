import { NO_LIMIT, textOf, type FormContext } from 'content-service/content-api';
import { AppError, isRecord, type Data, type Query } from 'content-service/plugin';

type Limits = FormContext['limits'];

const counted: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['t', true],
  ['1', true],
  ['false', false],
  ['f', false],
  ['0', false],
]);

/**
 * `pagination` as in Strapi 5 (recorded: 13-fields-sort-pagination): numbers out of range become the nearest one, so
 * that `limit=-1` is one entry.
 * @throws AppError rootPaginationParameters, graphqlPaginationModesMixed, invalidValue, invalidCount
 */
export function readPagination(input: Data, { defaultLimit, maxLimit, withCount }: Limits): Query['pagination'] {
  if (input['page'] !== undefined || input['pageSize'] !== undefined) throw new AppError('rootPaginationParameters');
  const { page, pageSize, start, limit, withCount: count } = isRecord(input['pagination']) ? input['pagination'] : {};
  const [byPage, byOffset] = [page ?? pageSize, start ?? limit].map((value) => value !== undefined);
  if (byPage === true && byOffset === true) throw new AppError('graphqlPaginationModesMixed');
  const isCounted = count === undefined ? withCount : counted.get(textOf(count));
  if (isCounted === undefined) throw new AppError('invalidCount');
  const size = Math.min(maxLimit, Math.max(1, integerOf(byOffset ? limit : pageSize, defaultLimit, 'Limit')));
  if (byOffset === true) {
    const first = Math.max(0, integerOf(start, 0, 'Start'));
    return { form: 'offset', start: first, limit: size, withCount: isCounted };
  }
  const number = Math.max(1, integerOf(page, 1, 'Start'));
  return { form: 'page', page: number, start: (number - 1) * size, limit: size, withCount: isCounted };
}

/** @throws AppError invalidValue */
function integerOf(input: unknown, fallback: number, name: 'Limit' | 'Start'): number {
  const number = input === undefined ? fallback : Number(typeof input === 'object' ? textOf(input) : input);
  if (Number.isSafeInteger(number)) return number;
  throw new AppError('invalidValue', `convert${name}QueryParams expected a positive integer got ${String(number)}`);
}

/**
 * Whether the page that a request for one entry names is behind that entry. Other pages have no effect, but are
 * checked.
 * @throws AppError invalidValue, and as `checkPages`
 */
export function isBehindFirst(input: Data): boolean {
  checkPages(input);
  limitOf(input['limit']);
  return startOf(input['start']) > 0;
}

/** @throws AppError invalidValue */
export function startOf(input: unknown): number {
  const number = input === undefined || input === null ? 0 : Number(textOf(input));
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new AppError('invalidValue', `convertStartQueryParams expected a positive integer got ${number}`);
}

/** -1 means all, and so does 0 (recorded: code/15-sort-page). @throws AppError invalidValue */
export function limitOf(input: unknown): number {
  const number = input === undefined || input === null ? -1 : Number(textOf(input));
  if (Number.isSafeInteger(number) && number >= -1) return number <= 0 ? NO_LIMIT : number;
  throw new AppError('invalidValue', `convertLimitQueryParams expected a positive integer got ${number}`);
}

/**
 * Pages have no effect, but are checked (recorded: code/15-sort-page).
 * @throws AppError invalidPageNumber, rootPaginationParameters
 */
export function checkPages(params: Data): void {
  const { start, limit } = params;
  const pages = (['page', 'pageSize'] as const).filter((name) => params[name] !== undefined);
  if (pages.length > 0 && (start ?? limit) !== undefined) throw new AppError('rootPaginationParameters');
  for (const name of pages) {
    const number = Number(textOf(params[name]));
    if (!Number.isSafeInteger(number) || number < 1) throw new AppError('invalidPageNumber', name);
  }
}
