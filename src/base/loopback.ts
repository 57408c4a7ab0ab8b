/** Whether a host is this machine, so that what is sent there crosses no network. IPv6 may have brackets. */
export function isLoopback (hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|::1)$/.test(hostname)
}
