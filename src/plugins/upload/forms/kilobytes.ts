/** Bytes as Strapi v4 stores sizes: in thousands, with two decimals. */
export const kilobytes = (bytes: number): number => Math.round(bytes / 10) / 100;
