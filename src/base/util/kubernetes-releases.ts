/**
 * The Kubernetes releases that op-sdk supports: the five newest minor versions. The generated types, the tables in `kubernetes/tables` and
 * the test control planes are those of the newest one. `npm run kubernetes` moves all three to the next release.
 */
export const supportedKubernetes = {
  /** Patch release that the test control planes run. It belongs to the minor version {@link newest}. */
  release: '1.37.2',
  /** Newest supported minor version. */
  newest: '1.37',
  /** Oldest supported minor version. */
  oldest: '1.33',
} as const;
