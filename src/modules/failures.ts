/** A module cannot be reached, or closed the connection before its answer began. */
export class UpstreamUnavailable extends Error {}

/** A module was reached, and did not answer in time. */
export class UpstreamTimeout extends Error {}
