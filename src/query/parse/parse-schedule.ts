import { bounds } from '../../config/bounds.js';
import { isRecord } from '../../config/record.js';
import { parseDateTime } from '../../content-types/model/dates.js';
import { parseId } from './input.js';
import { AppError } from '../../errors/app-error.js';

/** When an entry is to be published and unpublished. */
export interface Schedule {
  readonly publishAt?: Date;
  readonly unpublishAt?: Date;
}

const names = ['publishAt', 'unpublishAt'] as const;

/** Parses `1,2,3`. @throws AppError badRequest */
export function parseIds(input: unknown): readonly number[] {
  const ids = typeof input === 'string' ? input.split(',').map(parseId) : [];
  const most = bounds.scheduledIds;
  const isList = ids.length > 0 && ids.length <= most && ids.every((id) => id !== undefined);
  if (!isList) throw new AppError('badRequest', `ids must be 1 to ${most} ids: ids=1,2,3`);
  return ids;
}

/** Parses `{ publishAt, unpublishAt }`: at least one time, both in the future. @throws AppError badRequest */
export function parseSchedule(input: unknown, now: Date): Schedule {
  if (!isRecord(input))
    throw new AppError('badRequest', 'the body must be an object with publishAt, unpublishAt or both');
  const unknown = Object.keys(input).find((name) => !(names as readonly string[]).includes(name));
  if (unknown !== undefined) throw new AppError('badRequest', `unknown property "${unknown}"`);
  const times = names.flatMap((name) => {
    const value = input[name];
    return value === undefined || value === null ? [] : [[name, parseTime(value, name, now)] as const];
  });
  const [first, second] = times;
  if (first === undefined) throw new AppError('badRequest', 'publishAt or unpublishAt is required');
  if (first[1].getTime() === second?.[1].getTime()) {
    throw new AppError('badRequest', 'publishAt and unpublishAt must be different times');
  }
  return Object.fromEntries(times);
}

function parseTime(value: unknown, name: string, now: Date): Date {
  let time: Date | undefined;
  try {
    time = typeof value === 'string' ? parseDateTime(value) : undefined;
  } catch {
    time = undefined;
  }
  if (time === undefined)
    throw new AppError('badRequest', `${name} must be a date and time, e.g. 2030-01-31T09:00:00Z`);
  if (time <= now) throw new AppError('pastTime', name);
  return time;
}
