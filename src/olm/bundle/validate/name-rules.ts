import { labelValueProblem, subdomainProblem } from '../../../kubernetes/crd/names.ts';

/** The names of Kubernetes, for words that follow "is not valid: "; those of CustomResourceDefinitions follow the same rules. */
export { labelValueProblem, qualifiedNameProblem, subdomainProblem } from '../../../kubernetes/crd/names.ts';

/** Returns the fault of the name of a ClusterServiceVersion, which is the value of a label, too. */
export function csvNameProblem(name: string): string | undefined {
  return subdomainProblem(name) ?? labelValueProblem(name);
}

/** Returns the fault of an apiVersion, which becomes a path of the API server; undefined if it is valid. */
export function apiVersionProblem(apiVersion: string): string | undefined {
  if (/^(?:[^/]+\/)?[a-z\d](?:[-a-z\d]*[a-z\d])?$/.test(apiVersion)) return undefined;
  return `expected <group>/<version>, got ${JSON.stringify(apiVersion.slice(0, 100))}`;
}
