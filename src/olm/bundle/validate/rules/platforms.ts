import { isOpSdkError } from '../../../../base/errors/index.ts';
import { inParallel } from '../../../../base/util/in-parallel.ts';
import { fieldAt, mapOf, listOf, textOf, textsOf } from '../fields.ts';
import type { BundleObject, Settings, FieldPath } from '../types.ts';
import { csvDeployments } from '../csv-fields.ts';
import { ruleModule, type BundleRules, type Check, type Report } from './rule.ts';
import type { SharedRules } from './shared.ts';

const rules = {
  'bundle/unsupported-platform': {
    validators: { multiarch: 'error' },
    title: 'An image lacks a platform that the labels declare',
    explain:
      'The labels operatorframework.io/arch.<architecture>: supported and operatorframework.io/os.<system>: supported of the ClusterServiceVersion say where the operator runs, and consoles offer it there. Without labels it is linux/amd64. All images of the bundle must be for these platforms.',
  },
  'bundle/platform-label': {
    validators: { multiarch: 'warning' },
    title: 'The labels do not name a platform of the image',
    explain:
      "A warning. The image of the operator is for more platforms than the labels of the ClusterServiceVersion declare, so that the operator is not offered on them. The operator's image is that of the container manager, or of all containers where none has this name.",
  },
  'bundle/image-platforms': {
    validators: { multiarch: 'warning' },
    title: 'An image is for fewer platforms than the operator',
    explain:
      "A warning. A related image, or one of another container, lacks an operating system or an architecture that the labels or the operator's own image have.",
  },
  'bundle/node-affinity': {
    validators: { multiarch: 'warning' },
    title: 'The node affinity of a Deployment does not fit its image',
    explain:
      'A warning. In a cluster with nodes of several architectures, Pods land on nodes that their image cannot run on unless requiredDuringSchedulingIgnoredDuringExecution names kubernetes.io/os and kubernetes.io/arch of all platforms that the image is for, and of no other.',
  },
  'bundle/image-not-inspected': {
    validators: { multiarch: 'warning' },
    title: 'The platforms of an image are unknown',
    explain:
      'A warning of the validator multiarch, which asks registries for the images that the ClusterServiceVersion names. The message says why there was no answer; what depends on this image is not checked.',
  },
} as const satisfies BundleRules;

type Rules = typeof rules & SharedRules;

/** Platform on which an image runs: operating system and architecture. Variants of an architecture are ignored. */
interface Machine {
  readonly os: string;
  readonly architecture: string;
}

/** An image in a ClusterServiceVersion, with the path of its first occurrence. */
interface CsvImage {
  readonly image: string;
  readonly path: FieldPath;
  /** Platforms on which the node affinity of the Pod allows the image to run. */
  readonly affinity: readonly Machine[];
}

/** Images of a ClusterServiceVersion, grouped by use. Each image occurs only once. */
interface CsvImages {
  /** Images of containers named `manager`. For a Deployment without such a container: images of all its containers except the proxy. */
  readonly managers: readonly CsvImage[];
  /** Images of all other containers of the Deployments. */
  readonly others: readonly CsvImage[];
  /** Images in `spec.relatedImages` that no container runs. */
  readonly related: readonly CsvImage[];
}

/** Name of a sidecar container that older kubebuilder projects have. */
const proxy = 'kube-rbac-proxy';

/**
 * Returns the images of a ClusterServiceVersion. Ignores init containers, as operator-framework does. Source: operator-framework/api
 * `multiarch.go`, `loadImagesFromCSV`.
 */
function csvImages(csv: BundleObject): CsvImages {
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

/** Returns the combinations of operating system and architecture that the terms of a Pod's node affinity allow. */
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

/** Maps each image to its platforms. Images that could not be inspected are absent. */
type Machines = ReadonlyMap<string, readonly Machine[]>;

/**
 * The two aspects of a platform. Each has the prefix of the labels that declare its values, and the value that applies if no label declares
 * one.
 */
const aspects = [
  { field: 'os', label: 'operatorframework.io/os.', standard: 'linux', noun: 'operating system' },
  { field: 'architecture', label: 'operatorframework.io/arch.', standard: 'amd64', noun: 'architecture' },
] as const;

/**
 * Checks that labels, images and node affinity agree on the platforms of the operator. The upstream validator calls docker, treats a
 * single-platform image as an image without platforms, and gives an image that cannot be inspected the platform `error/error`. In contrast,
 * this check uses the platform in the configuration of a single-platform image, and gives one warning for an image that cannot be
 * inspected. Source: operator-framework/api `multiarch.go`.
 */
const checkPlatforms: Check<Rules, 'multiarch'> = async ({ csv }, report, settings) => {
  if (csv === undefined) return;
  const images = csvImages(csv);
  const machines = await inspect(csv, images, report, settings);
  checkLabelled(csv, images, machines, report);
  checkMissing(csv, images, machines, report);
  for (const image of [...images.managers, ...images.others]) checkAffinity(csv, image, machines, report);
};

async function inspect(
  csv: BundleObject,
  { managers, others, related }: CsvImages,
  { warn }: Report<Rules, 'multiarch'>,
  { platformsOf }: Settings,
): Promise<Machines> {
  const all = [...managers, ...others, ...related];
  const answers = await inParallel(all, async ({ image }) => {
    try {
      return await platformsOf(image);
    } catch (error) {
      if (!isOpSdkError(error)) throw error;
      return error.findings.map(({ message }) => message).join('; ');
    }
  });
  const machines = new Map<string, readonly Machine[]>();
  for (const [index, { image, path }] of all.entries()) {
    const answer = answers[index] ?? [];
    if (typeof answer === 'string')
      warn(
        'bundle/image-not-inspected',
        [csv, path],
        `the platforms of the image ${image} are unknown, so it is not checked: ${answer}`,
        'push the image, or log in to its registry',
      );
    else machines.set(image, answer);
  }
  return machines;
}

/** Returns the values that the labels with a prefix declare; the default value `standard` if no label declares a value. */
function declared(csv: BundleObject, label: string, standard: string): readonly string[] {
  const labelled = valuesOf(csv, label);
  return labelled.length === 0 ? [standard] : labelled;
}

function valuesOf(csv: BundleObject, label: string): readonly string[] {
  return Object.entries(mapOf(fieldAt(csv.value, 'metadata', 'labels')))
    .filter(([key, value]) => key.startsWith(label) && value === 'supported')
    .map(([key]) => key.slice(label.length));
}

/** Reports an error for each platform that the labels declare but an image lacks. */
function checkLabelled(
  csv: BundleObject,
  { managers, others, related }: CsvImages,
  machines: Machines,
  { error }: Report<Rules, 'multiarch'>,
): void {
  const [systems, architectures] = aspects.map(({ label, standard }) => declared(csv, label, standard));
  for (const os of systems ?? []) {
    for (const architecture of architectures ?? []) {
      const without = [...managers, ...others, ...related].filter(
        ({ image }) => machines.get(image)?.some(isMachine({ os, architecture })) === false,
      );
      const [first] = without;
      if (first === undefined) continue;
      const names = without.map(({ image }) => image).join(', ');
      error(
        'bundle/unsupported-platform',
        [csv, first.path],
        `the labels of the ClusterServiceVersion declare the platform ${os}/${architecture}, but these images are not built for it: ${names}`,
        `build the images for ${os}/${architecture} too, or label only what all of them have`,
      );
    }
  }
}

/**
 * Compares the platforms of the manager's images with the platforms that the labels declare. Reports missing labels, and platforms that
 * other images lack.
 */
function checkMissing(
  csv: BundleObject,
  { managers, others, related }: CsvImages,
  machines: Machines,
  { warn }: Report<Rules, 'multiarch'>,
): void {
  const names = managers.map(({ image }) => image).join(', ');
  for (const { field, label, standard, noun } of aspects) {
    const offered = managers.flatMap(({ image }) => machines.get(image) ?? []).map((each) => each[field]);
    const supported = [...new Set([...declared(csv, label, standard), ...offered])].sort();
    const labelled = valuesOf(csv, label);
    const unlabelled = supported.filter((value) => !labelled.includes(value));
    if (unlabelled.length > 0 && !(supported.length === 1 && supported[0] === standard))
      warn(
        'bundle/platform-label',
        [csv, ['metadata', 'labels']],
        `the operator's image ${names} runs on ${unlabelled.join(', ')}, but the labels of the ClusterServiceVersion do not declare this`,
        ...unlabelled.map((value) => `write ${label}${value}: supported`),
      );
    for (const { image, path } of [...others, ...related]) {
      const has = machines.get(image);
      const lacking = supported.filter((value) => !has?.some((each) => each[field] === value));
      if (has === undefined || lacking.length === 0) continue;
      warn(
        'bundle/image-platforms',
        [csv, path],
        `the image ${image} is not built for the ${noun} ${lacking.join(', ')}, although the labels or the operator's image ${names} have it`,
        'build it for the same platforms, or leave it if the operator needs it on some of them only',
      );
    }
  }
}

/** Checks that an image runs on every platform on which the node affinity of its Pod allows scheduling. */
function checkAffinity(
  csv: BundleObject,
  { image, path, affinity }: CsvImage,
  machines: Machines,
  { warn }: Report<Rules, 'multiarch'>,
): void {
  const has = machines.get(image);
  if (has === undefined) return;
  const complain = (message: string, fix: string): void =>
    warn('bundle/node-affinity', [csv, path], message, fix);
  const fix =
    'require kubernetes.io/os and kubernetes.io/arch of the nodes, in one term: affinity.nodeAffinity';
  if (affinity.length === 0) {
    complain(`no node affinity keeps the image ${image} on the nodes that it is for: ${shown(has)}`, fix);
    return;
  }
  const extra = affinity.filter((machine) => !has.some(isMachine(machine)));
  const missing = has.filter((machine) => !affinity.some(isMachine(machine)));
  if (extra.length > 0)
    complain(`the node affinity allows ${shown(extra)}, which the image ${image} is not for`, fix);
  if (missing.length > 0)
    complain(`the node affinity does not allow ${shown(missing)}, which the image ${image} is for`, fix);
}

function isMachine({ os, architecture }: Machine): (other: Machine) => boolean {
  return (other) => other.os === os && other.architecture === architecture;
}

function shown(machines: readonly Machine[]): string {
  return machines.map(({ os, architecture }) => `${os}/${architecture}`).join(', ');
}

export const platformRules = ruleModule<typeof rules, Rules>(rules, { multiarch: [checkPlatforms] });
