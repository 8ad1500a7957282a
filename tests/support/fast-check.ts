import fc from 'fast-check';
import { seed } from './scaled.js';

fc.configureGlobal({ seed });

/** `fast-check` with the seed of the test run. */
export default fc;
