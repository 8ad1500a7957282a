/** Numbers from 0 to below 1, the same for the same seed. Source: mulberry32, a generator of 32 bits. */
export function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed, 0x9e_37_79_b9) | 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
