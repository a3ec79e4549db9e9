/**
 * The Kubernetes releases that op-sdk supports: the five newest minor versions. Types, tables and test control planes are those of the newest
 * one. `npm run kubernetes` moves all of them to the next release.
 */
export const supportedKubernetes = {
  /** Patch release of the test control planes, of the minor version {@link newest}. */
  release: '1.37.2',
  /** Newest supported minor version. */
  newest: '1.37',
  /** Oldest supported minor version. */
  oldest: '1.33',
} as const;
