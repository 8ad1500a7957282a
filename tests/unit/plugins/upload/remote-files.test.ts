import { expect, test } from '@jest/globals';
import { openRemoteFiles } from '../../../../src/plugins/upload/storage/remote-files.js';

const provider = { kind: 'package', name: 'disk', file: '/disk.js', options: {}, actions: {} } as const;
const open = (module: unknown, file: string | undefined = provider.file) =>
  openRemoteFiles({ ...provider, file }, { sizeLimit: 1, load: async () => module });

test.each([
  [{}, 'the provider "disk" must export a function init'],
  [{ init: () => ({ delete: () => undefined }) }, 'must implement delete, and upload or uploadStream'],
  [{ init: () => ({ upload: () => undefined }) }, 'must implement delete, and upload or uploadStream'],
  [
    {
      init: () => {
        throw new Error('A key is missing');
      },
    },
    'the provider "disk" refuses its options: A key is missing',
  ],
])('a provider with another contract stops the start', async (module, message) => {
  await expect(open(module)).rejects.toThrow(message);
});

test('a provider that is not installed prevents the start, and the message names the package to install', async () => {
  const opening = openRemoteFiles({ ...provider, file: undefined }, { sizeLimit: 1, load: async () => ({}) });
  await expect(opening).rejects.toThrow(
    'upload: the provider "disk" is not installed: install @strapi/provider-upload-disk, strapi-provider-upload-disk or disk',
  );
});

test('a provider that cannot be loaded stops the start with the cause', async () => {
  const load = () => Promise.reject(new Error("Cannot find module 'x'"));
  const opening = openRemoteFiles(provider, { sizeLimit: 1, load });
  await expect(opening).rejects.toThrow(`upload: the provider "disk" cannot be loaded: Cannot find module 'x'`);
});
