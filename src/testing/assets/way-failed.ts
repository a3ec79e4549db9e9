/** One way to get the binaries does not work here; the next one may. The message is the reason, in a few words. */
export class WayFailed extends Error {}
