import type { Finding } from '../../../base/errors/index.ts';
import { checkKindName, checkPlural, checkVersion } from '../../../project/project/index.ts';
import type { KindVersion } from './kind-version.ts';

/** Names that the API server takes but nobody expects: warnings. */
export function lintNames({ kind, version }: KindVersion): readonly Finding[] {
  const unusualKind = isLabel(kind.value.toLowerCase()) ? checkKindName(kind.value) : undefined;
  const unusualVersion = isLabel(version.value) ? checkVersion(version.value) : undefined;
  return [
    ...(unusualKind === undefined
      ? []
      : [
          {
            code: 'manifests/unusual-name',
            message: `the kind ${JSON.stringify(kind.value)} is unusual: ${unusualKind}`,
            where: kind.place,
            fix: ['write one CamelCase word, such as Memcached'],
          } as const,
        ]),
    ...(unusualVersion === undefined
      ? []
      : [
          {
            code: 'manifests/unusual-name',
            message: `the version ${JSON.stringify(version.value)} is unusual: ${unusualVersion}. Clients sort such versions behind all others`,
            where: version.place,
            fix: ['write v1alpha1, v1beta1 or v1'],
          } as const,
        ]),
  ];
}

/** Other names are refused. */
function isLabel(name: string): boolean {
  return checkPlural(name) === undefined;
}
