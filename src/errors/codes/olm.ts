export type OlmCode =
  | 'olm/catalog-not-serving'
  | 'olm/cert-manager-missing'
  | 'olm/download'
  | 'olm/in-use'
  | 'olm/invalid-manifests'
  | 'olm/no-manifests'
  | 'olm/not-confirmed'
  | 'olm/not-installed'
  | 'olm/other-version'
  | 'olm/package-server-timeout'
  | 'olm/unhealthy'
  | 'olm/unknown-release';
