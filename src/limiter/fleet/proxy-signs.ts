/*
 * What shows a replica that a proxy is taken for a client, or a client for a proxy. Then everybody shares one bucket,
 * or nobody is limited, and no answer shows it. The log has each sign once, by its code, and `gatehouse doctor` has
 * those of the last hour.
 */

export interface ProxySign { found: (address: string) => string, remedy: string }

export const proxySigns = {
  proxy_suspected: {
    found: address => `nearly all requests come from one private address, ${address}: if it is a proxy of yours, all ` +
      'its clients share one bucket',
    remedy: 'let it send X-Forwarded-For, and name it in TRUST_PROXY (docker compose: EDGE_NETWORKS)'
  },
  forwarded_header_ignored: {
    found: address => `X-Forwarded-For from ${address}, which is not believed: if it is a proxy of yours, ` +
      'all its clients share one bucket',
    remedy: 'name the address of each proxy in TRUST_PROXY (docker compose: EDGE_NETWORKS)'
  },
  forwarded_header_missing: {
    found: address => `${address} is in TRUST_PROXY, and its requests name no other address in X-Forwarded-For: if ` +
      'it passes them on, all its clients share one bucket',
    remedy: 'let the proxy append the client to X-Forwarded-For, or overwrite it; if it is no proxy, take it out of ' +
      'TRUST_PROXY'
  },
  clients_trusted: {
    found: address => `several clients are in TRUST_PROXY, such as ${address}: what they write into ` +
      'X-Forwarded-For is believed, so with each address that they make up, they have full buckets',
    remedy: 'let TRUST_PROXY name the address of each proxy, and not their network'
  },
  proxy_refused: {
    found: address => `${address} is in TRUST_PROXY, and was refused like a client (429): its health checks take ` +
      'tokens, or it passes requests on without X-Forwarded-For',
    remedy: 'let health checks ask /livez or /readyz at OPS_PORT, or exempt the address in LIMITS_FILE; let the ' +
      'proxy append the client to X-Forwarded-For, or overwrite it'
  }
} as const satisfies Record<string, ProxySign>

export type ProxySignCode = keyof typeof proxySigns

/** By code, the address that was seen last. */
export type SeenSigns = Partial<Record<ProxySignCode, string>>
