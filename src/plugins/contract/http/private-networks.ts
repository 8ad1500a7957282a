import dns from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Source: IANA's special-purpose addresses. Those of tunnels and translation could lead to any network. */
const networks: readonly (readonly [address: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
];

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

const list = new BlockList();
for (const [address, bits] of networks) list.addSubnet(address, bits, familyOf(address));

/** Whether an address is in a network that is not public. IPv4-mapped IPv6 addresses are treated as IPv4. */
export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%');
  return isIP(plain) === 0 || list.check(plain, familyOf(plain));
}

/**
 * Whether the host of a URL is an address in a private network. Names are decided by `lookUpPublic`, when they are
 * connected to.
 */
export function namesPrivateAddress({ hostname }: URL): boolean {
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  return isIP(host) !== 0 && isPrivateAddress(host);
}

/**
 * Resolves names to their public addresses only, for a connection to the address that was checked.
 * @param refusal of a name without one
 */
export const lookUpPublic =
  (refusal: string): LookupFunction =>
  (name, settings, callback) => {
    dns.lookup(name, { ...settings, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const allowed = addresses.filter(({ address }) => !isPrivateAddress(address));
      const [first] = allowed;
      if (first === undefined) return callback(new Error(refusal), []);
      if (settings.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
