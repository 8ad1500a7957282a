import type { english } from './english/english.js';

/** All sentences of the editor in one language. */
export type Texts = typeof english;
