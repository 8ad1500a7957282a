/** `enough` resolves after `count` calls of `countOne`: tests wait for progress instead of time. */
export function countDown(count: number): { readonly enough: Promise<void>; readonly countOne: () => void } {
  let left = count;
  let end = (): void => {};
  const enough = new Promise<void>((resolve) => {
    end = resolve;
  });
  const countOne = (): void => {
    left -= 1;
    if (left === 0) end();
  };
  return { enough, countOne };
}
