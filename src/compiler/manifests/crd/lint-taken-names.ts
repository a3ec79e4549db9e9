import { formatWhere } from '../../../base/errors/format.ts';
import type { Finding } from '../../../base/errors/index.ts';
import type { Placed } from '../declaration.ts';
import type { CustomKind } from './check-group.ts';
import type { KindVersion } from './kind-version.ts';

/**
 * Names that two kinds of a group share: warnings. The server accepts the second CRD and never establishes it.
 * Source: apiextensions `pkg/controller/status/naming_controller.go`: plural, singular and short names are one space, kind and list kind another.
 */
export function lintTakenNames<K extends CustomKind>(
  kinds: readonly K[],
): ReadonlyMap<K, readonly Finding[]> {
  const findings = new Map<K, Finding[]>();
  const taken = new Map<
    string,
    { readonly what: string; readonly name: Placed<string>; readonly kind: KindVersion }
  >();
  for (const whole of kinds) {
    const [kind] = whole.versions;
    const clashes: Finding[] = [];
    findings.set(whole, clashes);
    const names: readonly (readonly [string, string, Placed<string>])[] = [
      ['resource', 'plural', kind.plural],
      ['resource', 'singular', kind.singular],
      ...kind.shortNames.map((name) => ['resource', 'short name', name] as const),
      ['kind', 'kind', kind.kind],
      ['kind', 'list kind', kind.listKind],
    ];
    for (const [space, what, name] of names) {
      const id = `${kind.group.value} ${space} ${name.value}`;
      const other = taken.get(id);
      if (other === undefined) taken.set(id, { what, name, kind });
      // The same plural twice is refused.
      else if (other.kind !== kind && !(what === 'plural' && other.what === 'plural'))
        clashes.push(nameTaken(kind, what, name, other));
    }
  }
  return findings;
}

function nameTaken(
  kind: KindVersion,
  what: string,
  name: Placed<string>,
  other: { readonly what: string; readonly name: Placed<string>; readonly kind: KindVersion },
): Finding {
  const fixable = what === 'list kind' ? 'listKind' : what === 'short name' ? 'shortNames' : what;
  return {
    code: 'manifests/name-clash',
    message: `the ${what} '${name.value}' of ${kind.kind.value} is the ${other.what} of ${other.kind.kind.value} in the same group ${kind.group.value} (${formatWhere(other.name.place)})`,
    where: name.place,
    fix: [`give ${kind.kind.value} another \`${fixable}\``],
  };
}
