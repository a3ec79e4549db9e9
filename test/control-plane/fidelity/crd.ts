import type { JSONSchemaProps } from '../../../src/compiler/schema/index.ts';

/** The parts of a CustomResourceDefinition that these tests read. */
export interface Crd {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: { readonly kind: string; readonly plural: string };
    readonly conversion?: unknown;
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly schema: { readonly openAPIV3Schema: JSONSchemaProps };
    }[];
  };
}

/** As many of the definitions as asked for, chosen so that together they use as many keywords, in as many ways, as can be. */
export function varied(crds: readonly Crd[], count: number): Crd[] {
  const left = crds.map((crd) => ({ crd, traits: traitsOf(crd), size: JSON.stringify(crd).length }));
  const chosen: Crd[] = [];
  let seen = new Set<string>();
  while (chosen.length < count && left.length > 0) {
    const gain = (traits: ReadonlySet<string>): number =>
      [...traits].filter((trait) => !seen.has(trait)).length;
    const best = left.reduce((a, b) => {
      const [first, second] = [gain(a.traits), gain(b.traits)];
      return second > first || (second === first && b.size < a.size) ? b : a;
    });
    // Everything was seen as often as it was asked for: once more from the start.
    if (gain(best.traits) === 0 && seen.size > 0) {
      seen = new Set();
      continue;
    }
    chosen.push(best.crd);
    best.traits.forEach((trait) => seen.add(trait));
    left.splice(left.indexOf(best), 1);
  }
  return chosen;
}

function traitsOf(crd: Crd): Set<string> {
  const traits = new Set([`scope ${crd.spec.scope}`, `versions ${Math.min(crd.spec.versions.length, 2)}`]);
  for (const { schema } of crd.spec.versions) addTraits(schema.openAPIV3Schema, '', traits);
  return traits;
}

const valued = ['type', 'format', 'x-kubernetes-list-type', 'x-kubernetes-map-type'];

function addTraits(schema: JSONSchemaProps, where: string, traits: Set<string>): void {
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'description') continue;
    traits.add(
      valued.includes(keyword)
        ? `${keyword} ${String(value)}`
        : `${keyword} of ${schema.type ?? 'anything'}${where}`,
    );
  }
  for (const property of Object.values(schema.properties ?? {})) addTraits(property, '', traits);
  if (schema.items !== undefined) addTraits(schema.items, ' in lists', traits);
  if (typeof schema.additionalProperties === 'object')
    addTraits(schema.additionalProperties, ' in maps', traits);
}
