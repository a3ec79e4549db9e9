import type { ClusterCode } from '../errors/index.ts';
import type { Explanation } from './explanation.ts';

export const clusterExplanations = {
  'cluster/server-warning': {
    title: 'The API server warns',
    explain:
      'The request was carried out, but the API server or an admission webhook has something to say about it: a deprecated version, or a Pod that the security level of its namespace would not allow. The message is the server’s own.',
  },
  'cluster/crd-not-installed': {
    title: 'The cluster does not have a CustomResourceDefinition of the project',
    explain:
      'An operator watches the kinds of its project; without their CRDs on the cluster it cannot start. `op-sdk install` puts them there.',
  },
  'cluster/crd-not-established': {
    title: 'A CustomResourceDefinition is on the cluster but not in use',
    explain:
      'The API server has refused its names, because another CRD has them, or is deleting it. Until it is established no object of its kind can be read or written.',
  },
  'cluster/version-not-served': {
    title: 'A controller uses a version of a kind that the cluster does not serve',
    explain:
      'The controller was written for another version than the CRD on the cluster serves: every request of it would fail. Install the CRDs of the project again, or import the types of a version that is served.',
  },
  'cluster/kind-not-served': {
    title: 'The cluster does not know a kind',
    explain:
      'A controller or a manifest names a kind that neither Kubernetes nor a CRD on the cluster brings, such as a ServiceMonitor without the Prometheus Operator. Install what brings it, or do without it.',
  },
  'cluster/operator-not-started': {
    title: 'The operator could not be run on this machine',
    explain:
      'The operating system did not start the process, or somebody killed the process that looks after it; the operator is ended then too.',
  },
  'cluster/unknown-kind': {
    title: 'The cluster does not know a kind',
    explain:
      'Neither the API server nor a CustomResourceDefinition of the same manifest knows the apiVersion and kind of the object, so nothing was written. Kinds of other operators, such as ServiceMonitor and Certificate, are known once those operators, or their CustomResourceDefinitions, are installed.',
  },
  'cluster/duplicate-object': {
    title: 'An object is given twice',
    explain:
      'Two documents of the manifest have the same kind, namespace and name. The second would overwrite the first.',
  },
  'cluster/no-objects': {
    title: 'There are no objects',
    explain:
      'The files or standard input hold not a single object, so there is nothing to apply or delete. In a pipe the command before it has most likely failed.',
  },
  'cluster/namespace-missing': {
    title: 'A namespace does not exist',
    explain: 'Objects of the manifest go into a namespace that neither exists nor comes with the manifest.',
  },
  'cluster/being-deleted': {
    title: 'An object is still being deleted',
    explain:
      'The object, or its namespace, was deleted before and is not gone yet. What is written to it would go with it.',
  },
  'cluster/invalid-object': {
    title: 'The API server finds an object invalid',
    explain:
      'A field is unknown, given twice, missing, or has a value that is not allowed. All objects are checked before the first is written.',
  },
  'cluster/forbidden': {
    title: 'The identity may not write an object',
    explain:
      'RBAC on the cluster does not let the user of the kubeconfig do this. Roles can be granted only by who has their permissions too.',
  },
  'cluster/quota-exceeded': {
    title: 'A quota of the namespace is exhausted',
    explain: 'A ResourceQuota of the namespace does not leave room for the object.',
  },
  'cluster/denied': {
    title: 'A policy of the cluster denies an object',
    explain: 'An admission webhook or policy refused it. The message is the policy’s own.',
  },
  'cluster/webhook-failed': {
    title: 'A webhook of the cluster does not answer',
    explain:
      'The API server has to ask a webhook before it stores the object, and cannot reach it: it does not run, is still starting, or has no valid certificate.',
  },
  'cluster/refused': {
    title: 'The API server refuses an object',
    explain: 'The message holds the server’s own words.',
  },
  'cluster/field-taken-over': {
    title: 'A field of another owner is taken over',
    explain:
      'Something else, such as an autoscaler or a person with kubectl, has set a field to another value than the manifest. The manifest is authoritative for what it declares, and the command becomes the owner of the field.',
  },
  'cluster/crd-not-accepted': {
    title: 'The API server does not accept the names of a CustomResourceDefinition',
    explain:
      'Another CustomResourceDefinition of the group has the same plural, singular, kind or short name.',
  },
  'cluster/crd-not-served': {
    title: 'A CustomResourceDefinition is not served in time',
    explain:
      'The API server has stored it but does not answer for its kinds yet. Objects of these kinds could not be written.',
  },
  'cluster/not-deleted': {
    title: 'Objects are not gone in time',
    explain:
      'They were deleted, but something holds them: a finalizer that nobody removes, or a namespace whose contents are still being deleted.',
  },
  'cluster/finalizers': {
    title: 'Custom resources have finalizers that only the operator removes',
    explain:
      'Deleting a CustomResourceDefinition deletes its custom resources, and each waits for its finalizers. Once the operator is gone nobody removes them, and the definition stays for ever. Delete the custom resources while the operator runs.',
  },
  'cluster/objects-lost': {
    title: 'Objects are deleted with others',
    explain:
      'A CustomResourceDefinition takes all objects of its kinds with it, in all namespaces, and a Namespace all that is in it. There is no way back. On a terminal op-sdk asks; elsewhere this is an error and nothing is deleted, unless `--yes` is given. Where a namespace was there before the operator, remove the Namespace from the manifest.',
  },
  'cluster/rollout-failed': {
    title: 'A workload cannot be rolled out',
    explain:
      'Its controller has given up, or its Pods cannot be created. The message says what the Pods say.',
  },
  'cluster/rollout-timeout': {
    title: 'A workload is not ready in time',
    explain:
      'The objects are on the cluster, but their Pods are not ready. The message says what the Pods say; the cluster goes on trying.',
  },
  'cluster/default-image': {
    title: 'The operator has the default image',
    explain:
      'controller:latest is what scaffolds begin with, and no registry has it: the cluster cannot pull it. Build and push an image under a name of yours, and deploy with that name.',
  },
  'cluster/image-not-used': {
    title: 'The image is used by no container',
    explain:
      '--image replaces the image named controller of config/manager, and no container of the manifest has it.',
  },
  'cluster/old-node': {
    title: 'Node is too old',
    explain: 'op-sdk and the operators that it bundles use what older versions of Node do not have.',
  },
  'cluster/dependencies-missing': {
    title: 'Packages of the project are not installed',
    explain:
      'Nothing of the project can be built or tested without what its package.json asks for. Run the install command of your package manager.',
  },
  'cluster/no-package-manager': {
    title: 'The package manager of the project is not on the PATH',
    explain:
      'The lock file says which package manager the project uses; its scripts and the Makefile call it.',
  },
  'cluster/lock-file': {
    title: 'The project has no lock file, or several',
    explain:
      'Images and CI install exactly what the lock file says. Without one they cannot, and with two it is chance which one counts.',
  },
  'cluster/other-op-sdk': {
    title: 'The op-sdk that runs is not the one of the project',
    explain:
      'Manifests are generated by the op-sdk that the project depends on, and another version may generate others. Call the one of the project: npx op-sdk.',
  },
  'cluster/no-registry-credentials': {
    title: 'There are no credentials for the registry of the image',
    explain:
      'Most registries let only those push who have logged in. The credentials are looked for where docker and podman keep theirs. A registry that answers its first request without any is not reported.',
  },
  'cluster/dockerfile-misses-sources': {
    title: 'The Dockerfile leaves sources out',
    explain:
      'What is not copied into the image that builds the operator is missing there: a new folder of sources or assets needs its COPY, and must not be in .dockerignore.',
  },
  'cluster/server-version': {
    title: 'The version of Kubernetes is not one that op-sdk is made for',
    explain: 'It may work nevertheless; op-sdk is tested with the versions that the message names.',
  },
  'cluster/not-permitted': {
    title: 'RBAC does not permit what a deploy does',
    explain:
      'To install an operator one must be allowed to write CustomResourceDefinitions, cluster roles and the other kinds of config/default.',
  },
  'cluster/not-deployed': {
    title: 'The operator is not deployed on the cluster',
    explain: 'There is no Deployment of its name. Deploy it, or run it on this machine with `op-sdk run`.',
  },
  'cluster/image-not-pulled': {
    title: 'The cluster cannot pull the image of the operator',
    explain:
      'The image was not pushed, was pushed under another name, or is in a registry that wants credentials of the cluster.',
  },
  'cluster/operator-crashes': {
    title: 'The operator ends again and again',
    explain:
      'Kubernetes starts it anew each time, ever more slowly. The last words of its container are in the message; its log says more.',
  },
  'cluster/operator-not-ready': {
    title: 'The operator is deployed but not ready',
    explain:
      'Its Pods are not there yet, find no node, or do not answer their readiness probe. The message is that of Kubernetes.',
  },
  'cluster/no-custom-resource': {
    title: 'There is nothing for the operator to do',
    explain:
      'An operator works on objects of its kinds, and there is none in the cluster. Create one, such as the sample of the project.',
  },
} satisfies Readonly<Record<ClusterCode, Explanation>>;
