/** A document of a manifest: plain JSON. */
export type ManifestDocument = Readonly<Record<string, unknown>>;
