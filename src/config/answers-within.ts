import { setTimeout as wait } from 'node:timers/promises';

/** Whether a promise is fulfilled within this time. */
export const answersWithin = (milliseconds: number, answer: Promise<unknown>): Promise<boolean> => {
  const answered = answer.then(
    () => true,
    () => false,
  );
  return Promise.race([answered, wait(milliseconds, false, { ref: false })]);
};
