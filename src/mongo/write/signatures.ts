import { AsyncLocalStorage } from 'node:async_hooks';
import type { Signature } from '../../query/receipt.js';

interface Request {
  signature?: Signature;
}

/**
 * Who asks for what runs: what the service writes for them, such as the permissions of a role, is theirs, whatever code
 * does it, and whether it knows the caller or not.
 */
export function openSignatures() {
  const requests = new AsyncLocalStorage<Request>();
  return {
    /** Runs a request, whose caller is not known yet. */
    run: <T>(work: () => T): T => requests.run({}, work),
    /** Tells who sends the request that runs. */
    sign: (signature: Signature): void => {
      const request = requests.getStore();
      if (request !== undefined) request.signature = signature;
    },
    /** Undefined: no request runs, or its caller is not known. */
    current: (): Signature | undefined => requests.getStore()?.signature,
  };
}

export type Signatures = ReturnType<typeof openSignatures>;
