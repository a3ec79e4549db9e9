/** A construct that cannot be evaluated here. */
export class UnsupportedCel extends Error {}
