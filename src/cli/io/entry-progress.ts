import { count, describeSeconds, showProgressLine } from './terminal.js';
import { type Progress } from '../../app/migrate/migrate-data.js';

/**
 * Reports progress: one line that is overwritten on a terminal, occasional lines elsewhere.
 * @param work the task
 * @param total how many entries it is done with
 */
export function createProgress(work: string, total: number): Progress {
  const begin = performance.now();
  let done = 0;
  const end = showProgressLine(() => `${work}  ${describeProgress(done, total, (performance.now() - begin) / 1000)}`);
  return { advance: (entries) => void (done += entries), end };
}

/** A line such as `42 %  42,000 of 100,000 entries  21,000 a second  3 s left`. */
export function describeProgress(done: number, total: number, seconds: number): string {
  const share = Math.min(1, done / Math.max(1, total));
  const pace = seconds > 0 ? done / seconds : 0;
  return [
    `${Math.floor(share * 100)} %`,
    `${count(Math.min(done, total))} of ${count(total)} entries`,
    ...(pace > 0 ? [`${count(Math.round(pace))} a second`] : []),
    ...(pace > 0 && done < total ? [`${describeSeconds((total - done) / pace)} left`] : []),
  ].join('  ');
}
