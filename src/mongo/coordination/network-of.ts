import { isIPv6 } from 'node:net';

/** Groups of 16 bits that are given to one customer: a /64. */
const NETWORK = 4;
const GROUPS = 8;

/**
 * Whom an address stands for in limits: an IPv4 address itself; of an IPv6 address its /64, out of which a client that has one
 * address can take any other. An IPv4 address that is written as an IPv6 one is itself.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '');
  if (!isIPv6(plain)) return address;
  // In lower case, without leading zeros, an IPv4 part in hexadecimal digits.
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [left = [], right = []] = canonical.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const gap = Array.from({ length: GROUPS - left.length - right.length }, () => '0');
  const groups = [...left, ...gap, ...right];
  if (groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff') return ipv4Of(groups.slice(6));
  return `${groups.slice(0, NETWORK).join(':')}::/64`;
}

const ipv4Of = (groups: readonly string[]): string =>
  groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]).join('.');
