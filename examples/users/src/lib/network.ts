import { isIPv4, isIPv6 } from 'node:net'

/**
 * Returns the network whose requests are limited together: an IPv4 address, or an IPv6 address's
 * /64 network, because one client usually has all of it. If a proxy sends something else, such as
 * an address with a port, all of those clients count as one network.
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return 'unknown'
  // The URL parser normalizes every spelling of an address: ::ffff:198.51.100.1 becomes
  // ::ffff:c633:6401.
  const canonical = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(canonical)
  if (mapped !== null) {
    const [high, low] = [Number.parseInt(mapped[1]!, 16), Number.parseInt(mapped[2]!, 16)]
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  }
  const [head = '', tail = ''] = canonical.split('::')
  const groups = head === '' ? [] : head.split(':')
  const last = tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(8 - groups.length - last.length).fill('0')
  return `${[...groups, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}
