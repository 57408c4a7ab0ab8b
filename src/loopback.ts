/**
 * Whether a host, an IPv6 address with or without brackets, is this very machine: what is sent there crosses no
 * network.
 */
export function isLoopback (hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|::1)$/.test(hostname)
}
