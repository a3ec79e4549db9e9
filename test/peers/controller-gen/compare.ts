import { isDeepStrictEqual } from 'node:util';
import type { Crd } from './oracle.ts';

/** A place where two CRDs say different things. */
export interface Difference {
  /** Such as `backups.storage.peers.example.com v1 .schema.openAPIV3Schema.properties.spec.required`. */
  readonly path: string;
  /** What controller-gen writes; undefined where it writes nothing. */
  readonly go: unknown;
  /** What op-sdk writes; undefined where it writes nothing. */
  readonly ts: unknown;
}

/**
 * All places where two CRDs differ in meaning: the order of keys and of `required` has none, nor has the annotation that names
 * controller-gen's version. Versions are compared by name.
 */
export function compareCrds(go: Crd | undefined, ts: Crd | undefined): readonly Difference[] {
  const name = (go ?? ts)?.metadata.name ?? '';
  const differences: Difference[] = [];
  const [goParts, tsParts] = [parts(go), parts(ts)];
  for (const part of new Set([...goParts.keys(), ...tsParts.keys()]))
    compare(`${name} ${part} `, goParts.get(part), tsParts.get(part), differences);
  return differences;
}

/** The versions by name, and all else of the CRD as `-`. */
function parts(crd: Crd | undefined): ReadonlyMap<string, unknown> {
  if (crd === undefined) return new Map();
  const { spec, ...rest } = structuredClone(crd) as unknown as Record<string, Record<string, unknown>>;
  const { versions, ...others } = spec ?? {};
  const annotations = rest['metadata']?.['annotations'] as Record<string, string> | undefined;
  if (annotations !== undefined) {
    delete annotations['controller-gen.kubebuilder.io/version'];
    if (Object.keys(annotations).length === 0) delete rest['metadata']?.['annotations'];
  }
  delete rest['status'];
  return new Map<string, unknown>([
    ['-', { ...rest, spec: others, versions: crd.spec.versions.map((version) => version.name) }],
    ...(versions as Crd['spec']['versions']).map((version) => [version.name, version] as const),
  ]);
}

function compare(path: string, go: unknown, ts: unknown, differences: Difference[]): void {
  if (isDeepStrictEqual(go, ts)) return;
  if (Array.isArray(go) && Array.isArray(ts)) {
    if (path.endsWith('.required') && isDeepStrictEqual(go.toSorted(), ts.toSorted())) return;
    if (go.length === ts.length && !path.endsWith('.required')) {
      go.forEach((item, index) => compare(`${path}[${index}]`, item, ts[index], differences));
      return;
    }
  }
  if (isMapping(go) && isMapping(ts)) {
    for (const key of new Set([...Object.keys(go), ...Object.keys(ts)]))
      compare(`${path}.${key}`, go[key], ts[key], differences);
    return;
  }
  differences.push({ path, go, ts });
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
