import type * as Nexus from 'nexus';
import { strictProxy } from '../../plugins/contract/strict-proxy.js';

type Argument = ReturnType<typeof Nexus.arg>;

/** Strapi v4's `service('internals')`: arguments of generated fields, for fields that a project defines with nexus. */
export interface InternalsService {
  readonly args: {
    readonly SortArg: Argument;
    readonly PaginationArg: Argument;
    readonly PublicationStateArg: Argument;
  };
}

/** @param nexus loads the package, only when an argument is used */
export const createInternals = (nexus: () => typeof Nexus): InternalsService =>
  strictProxy('internals', {
    args: strictProxy('internals.args', {
      get SortArg() {
        return nexus().arg({ type: nexus().list('String'), default: [] });
      },
      get PaginationArg() {
        return nexus().arg({ type: 'PaginationArg', default: {} });
      },
      get PublicationStateArg() {
        return nexus().arg({ type: 'PublicationState', default: 'LIVE' });
      },
    } satisfies InternalsService['args']),
  } satisfies InternalsService);
