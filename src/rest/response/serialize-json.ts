import { jsonSize } from '../../documents/json-size.js';
import type { Text } from '../../mongo/cache/response-cache.js';
import { answerTooLong } from '../../mongo/read-budget.js';
import { jsonPieces, PIECE } from './json-pieces.js';

/**
 * A body as JSON, in pieces where it is long.
 * @param limit the most bytes that it may take
 * @throws AppError tooCostly before anything is written
 */
export function serializeJson(body: unknown, limit: number): Text {
  const size = jsonSize(body, limit);
  if (size > limit) throw answerTooLong(limit);
  return size <= PIECE ? JSON.stringify(body) : { [Symbol.iterator]: () => jsonPieces(body) };
}
