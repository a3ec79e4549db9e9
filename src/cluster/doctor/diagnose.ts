import { supportedKubernetes } from '../../base/util/kubernetes-releases.ts';
import { isOpSdkError } from '../../base/errors/index.ts';
import { oldestNode } from '../../base/util/node-version.ts';
import { countText } from '../../base/util/words.ts';
import { layout } from '../../project/project/index.ts';
import { checkKinds } from '../run/check-kinds.ts';
import { reachOf } from '../../sdk/net/index.ts';
import { findProgram } from '../../base/process/find-program.ts';
import {
  type Check,
  type Verdict,
  problemOf,
  skipped,
  defineCheck,
  ok,
  problem,
  warning,
  packageManagerOf,
  compareVersions,
  deploymentsOf,
} from './check.ts';
import { createFacts, type Attempt, type DoctorWorld, type FactName, type Facts } from './facts.ts';
import { kinds, certManager, monitoring, customResources } from './checks/kinds.ts';
import { dependencies, dockerfile, sdkVersion } from './checks/project.ts';
import { operator, permissions } from './checks/operator.ts';
import type { ManifestObject } from '../../kubernetes/yaml/index.ts';

/** Messages for a check that is skipped because a required fact cannot be determined. */
const missing: Readonly<Record<FactName, string>> = {
  project: 'this folder has no readable project',
  kinds: 'the sources of the project cannot be read',
  objects: 'config/default cannot be rendered',
  cluster: 'no cluster can be reached',
};

/** A check's name and its result. */
export interface CheckResult extends Verdict {
  readonly name: string;
}

/**
 * Runs the checks of a project and its cluster one after the other. Writes nothing to either.
 *
 * @param table the checks, in the order of the report
 * @param onResult called with the result of each check directly after the check
 */
export async function diagnose(
  world: DoctorWorld,
  onResult: (result: CheckResult) => void = () => undefined,
  table: readonly Check[] = checks,
): Promise<readonly CheckResult[]> {
  const facts = createFacts(world);
  const results: CheckResult[] = [];
  try {
    for (const check of table) {
      world.signal.throwIfAborted();
      const result = { name: check.name, ...(await verdictOf(check, world, facts.attempt)) };
      results.push(result);
      onResult(result);
    }
  } finally {
    await facts.close();
  }
  return results;
}

async function verdictOf(check: Check, world: DoctorWorld, attempt: Attempt): Promise<Verdict> {
  const facts: Partial<Record<FactName, unknown>> = {};
  for (const name of check.needs) {
    const fact = await attempt(name);
    if ('error' in fact) return skipped(missing[name]);
    facts[name] = fact.value;
  }
  try {
    return await check.run(facts as Facts, world, attempt);
  } catch (error) {
    world.signal.throwIfAborted();
    if (!isOpSdkError(error)) throw error;
    return problemOf(error.findings);
  }
}

/** Checks that the package manager of the project can be determined, and that it is installed. */
const packageManager = defineCheck({
  name: 'package-manager',
  needs: ['project'],
  async run({ project: { root } }, { env }) {
    const { name, lockFiles } = packageManagerOf(root);
    if ((await findProgram(name, env['PATH'] ?? env['Path'] ?? '')) === undefined)
      return problem('cluster/no-package-manager', `${name} was not found on the PATH`, `install ${name}`);
    if (lockFiles.length > 1) {
      const message = `there are lock files of several package managers: ${lockFiles.join(', ')}`;
      return warning(
        'cluster/lock-file',
        message,
        'delete all but the one of the package manager that you use',
      );
    }
    if (lockFiles.length === 0) {
      const message = 'the project has no lock file, from which images and CI install the packages';
      return warning('cluster/lock-file', message, `${name} install, and commit its lock file`);
    }
    return ok(`${name}, with ${lockFiles.join()}`);
  },
});

/** Checks that credentials exist for pushing the operator's image to its registry. */
export const registry = defineCheck({
  name: 'registry',
  needs: ['project', 'objects'],
  async run({ objects }, world) {
    const [name] = deploymentsOf(objects)
      .flatMap(imagesOf)
      .filter((image) => !isDefaultImage(image));
    if (name === undefined) return skipped('the image of the operator names no registry yet');
    const { registry: host, hasCredentials } = await world.registryOf(name);
    if (hasCredentials) return ok(`there are credentials for ${host}`);
    const asks = await world.asksForCredentials(host);
    // Many registries allow pulls without credentials but require credentials for pushes, so the message mentions pushes.
    if (asks === false) return ok(`${host} answers without credentials; a push may still need them`);
    // Local registries, such as those of kind, k3d and minikube, normally require no credentials. So missing credentials are not a problem.
    if (asks === undefined && isLocal(host))
      return ok(`there are no credentials for ${host}, and a local registry rarely asks for any`);
    return warning(
      'cluster/no-registry-credentials',
      `there are no credentials for ${host}: the image of the operator can be pushed only if it takes anonymous pushes`,
      `docker login ${host}, podman login ${host}, or write them into ~/.docker/config.json`,
    );
  },
});

/** Returns true for local addresses and the name localhost. Returns false for other names, because they may resolve to any address. */
function isLocal(registry: string): boolean {
  const reach = reachOf(registry.replace(/:\d+$/, ''));
  return reach !== undefined && reach !== 'public';
}

const { oldest, newest } = supportedKubernetes;

/** Checks that op-sdk supports the version of the API server. */
const serverVersion = defineCheck({
  name: 'server-version',
  needs: ['cluster'],
  run({ cluster: { gitVersion } }) {
    const minor = /^v?\d+\.\d+/.exec(gitVersion)?.[0] ?? gitVersion;
    const range = `op-sdk is made for Kubernetes ${oldest} to ${newest}`;
    if (compareVersions(minor, oldest) < 0)
      return warning(
        'cluster/server-version',
        `Kubernetes ${gitVersion} is too old: ${range}`,
        'upgrade the cluster',
      );
    if (compareVersions(minor, newest) > 0)
      return warning(
        'cluster/server-version',
        `Kubernetes ${gitVersion} is too new: ${range}`,
        'upgrade op-sdk',
      );
    return ok(`Kubernetes ${gitVersion}`);
  },
});

/** Checks that the declarations of kinds and controllers can be read from the project's sources. */
const sources = defineCheck({
  name: 'sources',
  needs: ['project'],
  async run(_facts, _world, attempt) {
    const kinds = await attempt('kinds');
    if ('error' in kinds) {
      if (!isOpSdkError(kinds.error)) throw kinds.error;
      return problemOf(kinds.error.findings, 'op-sdk generate manifests --check');
    }
    const { declared, used } = kinds.value;
    const controllers = used.filter(({ role }) => role === 'for').length;
    return ok(`${countText(declared.length, 'kind')}, ${countText(controllers, 'controller')}`);
  },
});

/** Checks that this folder is a project, and its PROJECT file can be read. */
const projectFile = defineCheck({
  name: 'project',
  needs: [],
  async run(_facts, _world, attempt) {
    const project = await attempt('project');
    if ('value' in project) {
      const { projectName, resources } = project.value;
      return ok(`${projectName}, with ${countText(resources.length, 'kind')} in PROJECT`);
    }
    if (!isOpSdkError(project.error)) throw project.error;
    const { code, findings } = project.error;
    if (code !== 'project/not-found') return problemOf(findings);
    const [{ message, fix = [] }] = findings;
    return { ...skipped(message), fix };
  },
});

/** Checks that a cluster is configured and that its API server answers. */
const cluster = defineCheck({
  name: 'cluster',
  needs: [],
  async run(_facts, _world, attempt) {
    const fact = await attempt('cluster');
    if ('value' in fact) {
      const { server, source } = fact.value.client.connection.cluster;
      return ok(`${server.href.replace(/\/$/, '')} answers (${source})`);
    }
    if (!isOpSdkError(fact.error)) throw fact.error;
    const { code, findings } = fact.error;
    if (code !== 'kube/no-cluster') return problemOf(findings);
    const [{ message, fix = [] }] = findings;
    return { ...skipped(message), fix };
  },
});

/** Checks that the name of the operator's image is one that a cluster can pull. */
const image = defineCheck({
  name: 'image',
  needs: ['project', 'objects'],
  run({ objects }) {
    const images = deploymentsOf(objects).flatMap(imagesOf);
    if (images.length === 0) return skipped('config/default has no Deployment');
    const unnamed = images.find(isDefaultImage);
    if (unnamed === undefined) return ok(images.join(', '));
    return warning(
      'cluster/default-image',
      `the image of the operator is still ${unnamed}, which is in no registry`,
      'make docker-build docker-push deploy IMG=<registry>/<name>:<tag>',
    );
  },
});

/** Checks that the cluster serves the project's kinds, in the versions that the project's controllers use. */
const crds = defineCheck({
  name: 'crds',
  needs: ['project', 'kinds', 'cluster'],
  async run({ kinds, cluster: { client } }, { signal }) {
    const findings = await checkKinds(client, kinds, signal);
    if (findings.length > 0) return problemOf(findings);
    if (kinds.declared.length === 0) return skipped('the project declares no kind yet');
    return ok(
      `${kinds.declared.map(({ crd }) => crd).join(', ')}: installed, and served as the controllers need it`,
    );
  },
});

/** Checks that the Operator Lifecycle Manager is installed. Only bundles need it, so a missing installation is not a problem. */
const olm = defineCheck({
  name: 'olm',
  needs: ['cluster'],
  run({ cluster: { directory } }) {
    const isThere = directory.types.some(
      ({ resource }) =>
        resource.group === 'operators.coreos.com' && resource.kind === 'ClusterServiceVersion',
    );
    if (isThere) return ok('the Operator Lifecycle Manager is installed');
    return ok('the Operator Lifecycle Manager is not installed; only bundles need it');
  },
});

/**
 * Checks that config/default can be rendered. Reports missing files, two objects with the same name, and webhooks that are listed twice.
 */
const kustomization = defineCheck({
  name: 'kustomization',
  needs: ['project'],
  async run(_facts, _world, attempt) {
    const objects = await attempt('objects');
    if ('value' in objects) return ok(`${layout.defaultConfig} gives ${objects.value.length} objects`);
    if (!isOpSdkError(objects.error)) throw objects.error;
    return problemOf(objects.error.findings, `op-sdk kustomize build ${layout.defaultConfig}`);
  },
});

/** Checks that the running version of Node supports op-sdk and the operators that it bundles. */
const nodeVersion = defineCheck({
  name: 'node',
  needs: [],
  run(_facts, { nodeVersion: version }) {
    if (compareVersions(version, oldestNode) >= 0) return ok(`Node ${version}`);
    const message = `Node ${version} is older than ${oldestNode}`;
    return problem('cluster/old-node', message, `install Node ${oldestNode} or newer`);
  },
});

/** Checks that the generated CRDs and the role are up to date with the sources. */
const manifests = defineCheck({
  name: 'manifests',
  needs: ['project', 'kinds'],
  async run(_facts, world) {
    const outdated = await world.outdatedManifests();
    if (outdated.length === 0) return ok('the generated manifests are up to date');
    const message = `the sources have changed since these were generated: ${outdated.join(', ')}`;
    return problem('manifests/out-of-date', message, 'op-sdk generate manifests');
  },
});

/** Checks that all kinds and controllers of the sources are registered in PROJECT, in the kustomization of the CRDs, and in main. */
const registration = defineCheck({
  name: 'registration',
  needs: ['project', 'kinds'],
  run({ kinds }) {
    const { unregistered } = kinds;
    if (unregistered.length === 0) return ok('PROJECT, config/crd and main have all kinds and controllers');
    return { ...problemOf(unregistered, 'op-sdk generate manifests --check'), status: 'warning' };
  },
});

/**
 * All checks of `op-sdk doctor`, in the order of the report: checks of this machine, of the project, of the cluster, and of the operator on
 * the cluster.
 */
export const checks: readonly Check[] = [
  nodeVersion,
  projectFile,
  dependencies,
  packageManager,
  sdkVersion,
  sources,
  registration,
  manifests,
  kustomization,
  image,
  registry,
  dockerfile,
  cluster,
  serverVersion,
  permissions,
  crds,
  monitoring,
  certManager,
  kinds,
  operator,
  customResources,
  olm,
];

interface PodTemplate {
  readonly containers?: readonly { readonly image?: string }[];
  readonly initContainers?: readonly { readonly image?: string }[];
}

/** Returns the images that a Deployment runs; each image once. */
function imagesOf(deployment: ManifestObject): readonly string[] {
  const spec = deployment['spec'] as { readonly template?: { readonly spec?: PodTemplate } } | undefined;
  const { containers = [], initContainers = [] } = spec?.template?.spec ?? {};
  const images = [...initContainers, ...containers].map(({ image }) => image);
  return [...new Set(images.filter((image) => image !== undefined))];
}

/** Returns true for the placeholder image of a new scaffold, which exists in none of the registries. */
function isDefaultImage(image: string): boolean {
  return /^controller(?::latest)?$/.test(image);
}
