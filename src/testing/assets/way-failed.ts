/**
 * Thrown if one method of obtaining the binaries does not work on this machine, so that the next method can be tried. The message is a
 * short reason.
 */
export class WayFailed extends Error {}
