import type { Mount } from 'content-service/plugin';
import type { Settings } from './settings.js';

/**
 * Clients put their base address before the paths of files, which are `/uploads/…` in each form: they are sent on to
 * these.
 */
export const filesBelow = ({ path }: Settings): readonly Mount[] =>
  path === ''
    ? []
    : [
        {
          path: `${path}/uploads`,
          handler: (request, response) => {
            response.writeHead(308, { Location: `/uploads${request.url ?? ''}` }).end();
          },
        },
      ];
