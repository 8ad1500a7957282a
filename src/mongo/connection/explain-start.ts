import { MongoServerError } from 'mongodb';
import { hasCode } from '../../errors/app-error.js';
import { StartError } from '../../errors/start-error.js';
import { translateError } from '../errors.js';

const OUT_OF_DISK_SPACE = 14_031;

/** The reason of a failed start in one line if the database caused it; otherwise the unchanged error. */
export function explainStart(error: unknown): unknown {
  if (error instanceof MongoServerError && error.code === OUT_OF_DISK_SPACE) {
    return new StartError(`The disk of the database is full: ${error.message}`);
  }
  const translated = translateError(error);
  const isAway = hasCode(translated, 'unavailable');
  return isAway ? new StartError('The database became unavailable during startup') : error;
}
