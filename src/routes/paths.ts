/** The operations under `/auth` are also served under `/api/auth`, from the same buckets. */
export const bothPaths = (path: `/auth/${string}`): string[] => [path, `/api${path}`]
