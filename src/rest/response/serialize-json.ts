import { jsonSize } from '../../documents/response/json-size.js';
import type { ResponseBody } from '../../documents/response/response-cache.js';
import { responseTooLong } from '../../mongo/read-budget.js';
import { jsonPieces, PIECE } from './json-pieces.js';

/**
 * A body as JSON, in pieces where it is long.
 * @param limit the most bytes that it may take
 * @throws AppError tooCostly before anything is written
 */
export function serializeJson(body: unknown, limit: number): ResponseBody {
  const size = jsonSize(body, limit);
  if (size > limit) throw responseTooLong(limit);
  return size <= PIECE ? JSON.stringify(body) : { [Symbol.iterator]: () => jsonPieces(body) };
}
