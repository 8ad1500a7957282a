/** `enough` is when `tell` was called so often: what is waited for on a fast machine and on a slow one. */
export function countDown(count: number): { readonly enough: Promise<void>; readonly tell: () => void } {
  let left = count;
  let end = (): void => {};
  const enough = new Promise<void>((resolve) => {
    end = resolve;
  });
  const tell = (): void => {
    left -= 1;
    if (left === 0) end();
  };
  return { enough, tell };
}
