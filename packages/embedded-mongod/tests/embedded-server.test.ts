import { describe, expect, test } from '@jest/globals';
import fc from '../../../tests/support/fast-check.js';
import { InvalidOptions, parseOptions } from '../src/options.js';
import { commandName, frameReply, okReply, setParameter, splitMessages } from '../src/wire.js';

const memory = 9 * 2 ** 30;

describe('the command line of the embedded engine', () => {
  test('accepts the options of mongodb-memory-server', () => {
    const args = '--port 4000 --dbpath /tmp/db --storageEngine wiredTiger --bind_ip 127.0.0.1 --noauth'.split(' ');
    expect(parseOptions(args, memory)).toEqual({
      dataPath: '/tmp/db',
      listenOn: ['127.0.0.1'],
      port: 4000,
      cacheMegabytes: 4096,
      exitOnStdinEnd: false,
      version: false,
    });
  });

  test('accepts values after an equals sign, and several addresses', () => {
    const options = parseOptions(['--dbpath=/a=b', '--bind_ip=localhost, /run/db.sock', '--exitOnStdinEnd'], memory);
    expect(options).toMatchObject({ dataPath: '/a=b', listenOn: ['localhost', '/run/db.sock'], exitOnStdinEnd: true });
  });

  test.each([
    [2 ** 30, [], 256],
    [9 * 2 ** 30, [], 4096],
    [9 * 2 ** 30, ['--wiredTigerCacheSizeGB', '0.25'], 256],
    [2 ** 30, ['--wiredTigerCacheSizeGB=1.5'], 1536],
  ])('with %d bytes of memory and %j gives the cache %d MB', (bytes, args, expected) => {
    expect(parseOptions(args, bytes).cacheMegabytes).toBe(expected);
  });

  test.each([
    ['--replSet rs0', '--replSet is not supported by the embedded engine'],
    ['--auth', '--auth is not supported by the embedded engine'],
    ['--dbpath', '--dbpath needs a value'],
    ['--port 70000', '--port is not a port number'],
    ['--wiredTigerCacheSizeGB 0.1', '--wiredTigerCacheSizeGB is not a number from 0.25 to 10000'],
    ['--wiredTigerCacheSizeGB much', '--wiredTigerCacheSizeGB is not a number from 0.25 to 10000'],
    ['--storageEngine ephemeralForTest', '--storageEngine ephemeralForTest is not supported'],
  ])('refuses %s', (args, message) => {
    expect(() => parseOptions(args.split(' '), memory)).toThrow(new InvalidOptions(message));
  });
});

describe('the wire protocol', () => {
  const message = setParameter('name', 'value');

  test('extracts the command name of a message', () => {
    expect(commandName(message)).toBe('setParameter');
    expect(commandName(frameReply({ ...okReply(message), legacy: true }, 7))).toBeUndefined();
  });

  test('writes replies with request id and length', () => {
    const reply = frameReply({ ...okReply(message), requestId: 5 }, 7);
    expect([0, 4, 8, 12].map((at) => reply.readInt32LE(at))).toEqual([reply.length, 7, 5, 2013]);
  });

  test('splits messages from arbitrary chunks', () => {
    const messages = fc.array(fc.string({ minLength: 1, maxLength: 30 }), { maxLength: 5 });
    fc.assert(
      fc.property(messages, fc.infiniteStream(fc.integer({ min: 1, max: 90 })), (values, sizes) => {
        const sent = values.map((value) => setParameter('name', value));
        let bytes = Buffer.concat(sent);
        const found: Buffer[] = [];
        const take = splitMessages((message) => found.push(message));
        for (const size of sizes) {
          if (bytes.length === 0) break;
          expect(take(bytes.subarray(0, size))).toBe(true);
          bytes = bytes.subarray(size);
        }
        expect(found).toEqual(sent);
      }),
    );
  });

  test.each([0, 20, -1, 48_000_001])('closes the connection after a message of %d bytes', (length) => {
    const bytes = Buffer.alloc(16);
    bytes.writeInt32LE(length);
    expect(splitMessages(() => {})(bytes)).toBe(false);
  });
});
