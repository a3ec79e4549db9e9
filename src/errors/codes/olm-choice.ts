/** What is decided before anything is created on the cluster, and what stops an installation by the user's choice. */
export type OlmChoiceCode =
  | 'olm/group-conflict'
  | 'olm/unsupported-mode'
  | 'olm/no-namespace'
  | 'olm/already-installed'
  | 'olm/name-taken'
  | 'olm/absent'
  | 'olm/choose-version'
  | 'olm/flag-of-other-version'
  | 'olm/package-not-installed'
  | 'olm/not-installed-yet'
  | 'olm/not-newer'
  | 'olm/foreign-head'
  | 'olm/foreign-catalog'
  | 'olm/plan-with-others'
  | 'olm/objects-lost'
  | 'olm/timeout';
