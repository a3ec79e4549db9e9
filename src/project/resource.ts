/** One entry of `resources` in PROJECT. Source: kubebuilder `pkg/model/resource`, in the words of the file. */
export interface ProjectResource {
  /** Without the domain: `cache`. */
  readonly group: string;
  readonly domain: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** The types file, relative to the project, with forward slashes; absent for kinds whose types live elsewhere. */
  readonly path?: string;
  /** Present if the project defines the kind's CRD. */
  readonly api?: { readonly crdVersion: string; readonly namespaced: boolean };
  readonly controller: boolean;
}

/** The API group as Kubernetes knows it: group and domain, `cache.example.com`. */
export function fullGroup(resource: { readonly group: string; readonly domain: string }): string {
  return [resource.group, resource.domain].filter((part) => part !== '').join('.');
}
