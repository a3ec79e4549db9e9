import type { DeclaredApi } from './check-registration.ts';
import type { CustomKind } from './crd/check-group.ts';
import type { KindVersion } from './crd/kind-version.ts';

/** Every version of every kind, with the place of its declaration. */
export function declaredApis(kinds: readonly CustomKind<KindVersion>[]): readonly DeclaredApi[] {
  return kinds.flatMap(({ versions }) =>
    versions.map(({ group, version, kind, plural, scope, served, place }) => ({
      group: group.value,
      version: version.value,
      kind: kind.value,
      plural: plural.value,
      namespaced: scope.value === 'Namespaced',
      served,
      place,
    })),
  );
}
