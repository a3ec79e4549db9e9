import { compareCrds as compareNormalized } from '../../../src/kubernetes/crd/document/normalize-crd.ts';
import type { Crd } from './oracle.ts';

/** A place where two CRDs say different things. */
export interface Difference {
  /** The CRD and the field: `backups.storage.peers.example.com spec.versions[0].schema.openAPIV3Schema.required`. */
  readonly path: string;
  /** What controller-gen writes; undefined where it writes nothing. */
  readonly go: unknown;
  /** What op-sdk writes; undefined where it writes nothing. */
  readonly ts: unknown;
}

/** All places where the CRDs of this name differ in meaning. */
export function compareCrds(name: string, go: Crd | undefined, ts: Crd | undefined): readonly Difference[] {
  if (go === undefined || ts === undefined)
    return [{ path: name, go: go !== undefined, ts: ts !== undefined }];
  return compareNormalized(go, ts).map(({ path, left, right }) => ({
    path: `${name} ${path}`,
    go: left,
    ts: right,
  }));
}
