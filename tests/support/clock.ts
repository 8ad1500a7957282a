import { afterAll, beforeAll, jest } from '@jest/globals';

/** Time passes for the code under test, without waiting, by what `pass` is given in milliseconds. */
export function useClock(): { readonly pass: (milliseconds: number) => void } {
  const now = performance.now.bind(performance);
  let later = 0;
  beforeAll(() => void jest.spyOn(performance, 'now').mockImplementation(() => now() + later));
  afterAll(() => void jest.restoreAllMocks());
  return {
    pass: (milliseconds) => {
      later += milliseconds;
    },
  };
}
