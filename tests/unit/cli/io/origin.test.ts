import { expect, test } from '@jest/globals';
import { originOf, specOf } from '../../../../src/cli/io/origin.js';

const file = '/srv/Meine Seite (neu) #1/content-service-0.2.0.tgz';
const address = 'https://git.example.org/releases/download/v0.2.0/content-service-0.2.0.tgz';

test.each([
  [
    'the file beside that of the service',
    file,
    'file:x.tgz',
    '/srv/Meine Seite (neu) #1/content-service-mcp-0.2.0.tgz',
  ],
  [
    'the address beside that of the service',
    undefined,
    address,
    'https://git.example.org/releases/download/v0.2.0/content-service-mcp-0.2.0.tgz',
  ],
  [
    'its version of a registry, which has files below "/-/"',
    undefined,
    'https://registry.example.org/content-service/-/content-service-0.2.0.tgz',
    expect.stringMatching(/^@content-service\/mcp@\d+\.\d+\.\d+/),
  ],
  [
    'its version, where npm records no addresses',
    undefined,
    '',
    expect.stringMatching(/^@content-service\/mcp@\d+\.\d+\.\d+/),
  ],
])('a package is installed from %s', (_case, tarball, resolved, spec) => {
  expect(specOf(originOf(tarball, resolved), 'mcp')).toEqual(spec);
});

test('a service that npm has built from its repository has no packages beside it', () => {
  const origin = originOf(undefined, 'git+https://git.example.org/content-service.git#abc');
  expect(() => specOf(origin, 'mcp')).toThrow('npm run pack');
});
