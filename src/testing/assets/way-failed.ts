/** Thrown if one method of obtaining the binaries does not work here; the next one may. The message is a short reason. */
export class WayFailed extends Error {}
