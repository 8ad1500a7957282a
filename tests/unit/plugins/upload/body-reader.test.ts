import { expect, test } from '@jest/globals';
import type { ContentType } from '../../../../src/content-types/model/types.js';
import { anonymous } from '../../../../src/documents/caller.js';
import { createBodyReader } from '../../../../src/plugins/upload/forms/body-reader.js';
import type { Running } from '../../../../src/plugins/upload/running.js';

/** Writes a form with a file that no media field takes. Returns what was uploaded, and what the log says. */
async function write(environment: string) {
  const [uploaded, lines]: [unknown[], string[]] = [[], []];
  const context = { log: { info: (line: string) => lines.push(line) }, settings: { environment } };
  const files = { upload: async (received: readonly unknown[]) => (uploaded.push(...received), []) };
  const reader = createBodyReader(() => ({ context, files }) as unknown as Running);
  const type = { uid: 'api::note.note', kind: 'collectionType', attributes: new Map() } as unknown as ContentType;
  const form = {
    fields: { data: '{"text":"a"}' },
    files: [{ field: 'files.cover', name: 'a.png', type: 'image/png', size: 1, path: '/nowhere' }],
  };
  const entry = { type, id: undefined, isNew: true, caller: anonymous, address: '127.0.0.1' };
  const body = await reader.attachFiles(form, entry, async (written) => written);
  return { uploaded, lines, body };
}

test('a file that no media field takes is named in the log in development, and never opened', async () => {
  const body = { data: { text: 'a' } };
  const line = 'A form for api::note.note: no media field takes files.cover';
  expect(await write('development')).toEqual({ uploaded: [], lines: [line], body });
  expect(await write('production')).toEqual({ uploaded: [], lines: [], body });
});
