import { csvDeployments } from '../../csv-deployments.ts';
import { fieldAt, listOf, mapOf, textOf, textsOf } from '../../fields.ts';
import type { BundleObject, FieldPath } from '../../types.ts';

/** Machine on which an image runs; variants of an architecture do not count. */
export interface Machine {
  readonly os: string;
  readonly architecture: string;
}

/** An image that a ClusterServiceVersion names, where it does so first. */
export interface CsvImage {
  readonly image: string;
  readonly path: FieldPath;
  /** The machines that the node affinity of its Pod allows. */
  readonly affinity: readonly Machine[];
}

/** The images of a ClusterServiceVersion by what they are for, each once in its list. */
export interface CsvImages {
  /** Containers named `manager`; all but the proxy in a Deployment without one. */
  readonly managers: readonly CsvImage[];
  /** The other containers of Deployments. */
  readonly others: readonly CsvImage[];
  /** `spec.relatedImages` that no container runs. */
  readonly related: readonly CsvImage[];
}

/** The sidecar that projects of kubebuilder used to have. */
const proxy = 'kube-rbac-proxy';

/** Source: operator-framework/api `multiarch.go`, `loadImagesFromCSV`. Init containers do not count there. */
export function csvImages(csv: BundleObject): CsvImages {
  const deployments = csvDeployments(csv).map(({ spec, path }) => {
    const pod = mapOf(fieldAt(spec, 'template', 'spec'));
    const affinity = machinesOf(pod);
    const containers = listOf(pod['containers']).map((container, index) => ({
      name: textOf(mapOf(container)['name']),
      image: textOf(mapOf(container)['image']),
      path: [...path, 'spec', 'template', 'spec', 'containers', index, 'image'],
      affinity,
    }));
    const managers = containers.filter(({ name }) => name === 'manager');
    return {
      containers,
      managers: managers.length > 0 ? managers : containers.filter(({ name }) => name !== proxy),
    };
  });
  const related = listOf(fieldAt(csv.value, 'spec', 'relatedImages')).map((entry, index) => ({
    image: textOf(mapOf(entry)['image']),
    path: ['spec', 'relatedImages', index, 'image'],
    affinity: [],
  }));
  const seen = new Set(['']);
  const eachOnce = (images: readonly CsvImage[]): readonly CsvImage[] =>
    images.filter(({ image }) => !seen.has(image) && seen.add(image));
  return {
    managers: eachOnce(deployments.flatMap(({ managers }) => managers)),
    others: eachOnce(deployments.flatMap(({ containers }) => containers)),
    related: eachOnce(related),
  };
}

const required = [
  ...['affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'],
];

/** Every operating system with every architecture that a term asks for. */
function machinesOf(pod: unknown): readonly Machine[] {
  return listOf(fieldAt(pod, ...required)).flatMap((term) => {
    const valuesOf = (label: string): readonly string[] =>
      listOf(mapOf(term)['matchExpressions'])
        .map(mapOf)
        .filter(({ key, operator }) => key === label && operator === 'In')
        .flatMap(({ values }) => textsOf(values));
    const architectures = valuesOf('kubernetes.io/arch');
    return valuesOf('kubernetes.io/os').flatMap((os) =>
      architectures.map((architecture) => ({ os, architecture })),
    );
  });
}
