import type { OlmVersion } from '../catalog/index.ts';
import type { RunNames } from './run-names.ts';

/** Installation that OLM is expected to make. */
export interface Installation {
  readonly olm: OlmVersion;
  readonly names: RunNames;
  readonly packageName: string;
  /** The name of the ClusterServiceVersion. */
  readonly csv: string;
  readonly version: string;
  /** As the catalogue names it. */
  readonly bundleImage: string;
  /** Where the operator runs. */
  readonly namespace: string;
  /** The names of its Deployments. */
  readonly deployments: readonly string[];
  /** The names of its CustomResourceDefinitions. */
  readonly definitions: readonly string[];
}
