import type { ExplainedCodes } from '../base/errors/index.ts';
import { ownershipCodes } from './ownership/codes.ts';

export const clusterCodes = {
  'cluster/server-warning': {
    title: 'The API server warns',
    explain:
      'The request was carried out, but the API server or an admission webhook warns about it: a deprecated version, or a Pod that the security level of its namespace would not allow. The message comes from the server.',
  },
  'cluster/crd-not-installed': {
    title: 'The cluster does not have a CustomResourceDefinition of the project',
    explain:
      'An operator watches the kinds of its project; without their CRDs on the cluster it cannot start. `op-sdk install` installs them.',
  },
  'cluster/crd-not-established': {
    title: 'A CustomResourceDefinition is on the cluster but not in use',
    explain:
      'The API server has refused its names, because another CRD has them, or is deleting it. Until it is established no object of its kind can be read or written.',
  },
  'cluster/conversion-left-out': {
    level: 'warning',
    title: 'A conversion is not installed',
    explain:
      'The conversion of a CustomResourceDefinition names the Service of the operator. Without the operator every read of a version that is not stored would fail, so `op-sdk install` leaves the conversion out, unless the cluster has one already; `op-sdk deploy` brings both.',
  },
  'cluster/crd-outdated': {
    title: 'The cluster has another CustomResourceDefinition than the project',
    explain:
      'Types or config/crd have changed since the CRDs were installed. The API server goes by what it has: it refuses or drops fields that it does not know. `op-sdk run --watch` installs nothing and only warns; `op-sdk install` brings the cluster up to date, and `op-sdk dev` does so by itself.',
  },
  'cluster/version-not-served': {
    title: 'A controller uses a version of a kind that the cluster does not serve',
    explain:
      'The controller was written for another version than the CRD on the cluster serves: every request of it would fail. Install the CRDs of the project again, or import the types of a version that is served.',
  },
  'cluster/kind-not-served': {
    title: 'The cluster does not know a kind',
    explain:
      'A controller or a manifest names a kind that neither Kubernetes nor a CRD on the cluster defines, such as a Certificate without cert-manager. Install the CRD, or remove what uses the kind.',
  },
  'cluster/operator-not-started': {
    title: 'The operator could not be run on this machine',
    explain:
      'The operating system did not start the process, or its supervising process was killed, which also ends the operator.',
  },
  'cluster/cannot-listen': {
    title: 'The operator cannot listen at an address of its flags',
    explain:
      '`op-sdk run` and `op-sdk dev` serve metrics on port 8080 and probes on port 8081 of this machine, and choose free ports where these are taken. An address that follows `--` is used as it is: another process listens there, or the system does not permit it.',
  },
  'cluster/unknown-kind': {
    title: 'The cluster does not know a kind',
    explain:
      'Neither the API server nor a CustomResourceDefinition of the same manifest knows the apiVersion and kind of the object, so nothing was written. Kinds of other operators, such as ServiceMonitor and Certificate, are known once those operators, or their CustomResourceDefinitions, are installed.',
  },
  'cluster/monitoring-left-out': {
    level: 'warning',
    title: 'The cluster does not have the Prometheus Operator',
    explain:
      'The manifests have a ServiceMonitor, PodMonitor, Probe, ScrapeConfig or PrometheusRule, and the cluster does not know these kinds. The operator works without them, so they are left out and everything else is deployed. Install the Prometheus Operator and deploy again to have them.',
  },
  'cluster/duplicate-object': {
    title: 'An object appears twice',
    explain:
      'Two documents of the manifest have the same kind, namespace and name. The second would overwrite the first.',
  },
  'cluster/other-namespace': {
    title: 'An object is in another namespace than --namespace says',
    explain:
      '`--namespace` is for objects that name no namespace. What names another one is not moved, as its author may have had a reason: selectors, bindings and webhooks may refer to it.',
  },
  'cluster/no-objects': {
    title: 'There are no objects',
    explain:
      'The files or standard input contain no object, so there is nothing to apply or delete. In a pipe the command before it has most likely failed.',
  },
  'cluster/namespace-missing': {
    title: 'A namespace does not exist',
    explain: 'Objects of the manifest are in a namespace that neither exists nor is in the manifest.',
  },
  'cluster/being-deleted': {
    title: 'An object is still being deleted',
    explain:
      'The object, or its namespace, was deleted before and is not gone yet. What is written to it would be deleted with it.',
  },
  'cluster/invalid-object': {
    title: 'The API server finds an object invalid',
    explain:
      'A field is unknown, given twice, missing, or has a value that is not allowed. All objects are checked before the first is written.',
  },
  'cluster/forbidden': {
    title: 'The identity may not write an object',
    explain:
      'RBAC on the cluster does not let the user of the kubeconfig do this. Only those who have the permissions of a role may grant it.',
  },
  'cluster/quota-exceeded': {
    title: 'A quota of the namespace is exhausted',
    explain: 'A ResourceQuota of the namespace does not leave room for the object.',
  },
  'cluster/denied': {
    title: 'A policy of the cluster denies an object',
    explain: 'An admission webhook or policy refused it. The message comes from the policy.',
  },
  'cluster/webhook-failed': {
    title: 'A webhook of the cluster does not answer',
    explain:
      'The API server has to ask a webhook before it stores the object, and cannot reach it: it does not run, is still starting, or has no valid certificate.',
  },
  'cluster/webhooks-exist': {
    title: 'The webhooks of the project are on the cluster already',
    explain:
      '`op-sdk run` and `op-sdk dev` with `--webhook-host` make the API server ask the operator on this machine. The configuration or conversion that is there asks another one: that of `op-sdk deploy`, or one that runs elsewhere. It is not overwritten, for its operator would no longer be asked, also if a deployment takes the place of ours while `run --watch` or `dev` runs. Remove it first, or run the operator without webhooks: `ENABLE_WEBHOOKS=false`. What a killed command on the same machine has left is removed by itself; for one on another machine, the fix names the `kubectl` command that removes it.',
  },
  'cluster/refused': {
    title: 'The API server refuses an object',
    explain: 'The message comes from the server.',
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
    title: 'A CustomResourceDefinition was not served in time',
    explain:
      'The API server has stored it but does not answer for its kinds yet. Objects of these kinds could not be written.',
  },
  'cluster/not-deleted': {
    title: 'Objects were not deleted in time',
    explain:
      'They were deleted, but something blocks the deletion: a finalizer that nobody removes, or a namespace whose contents are still being deleted.',
  },
  'cluster/finalizers': {
    title: 'Custom resources have finalizers that only the operator removes',
    explain:
      'Deleting a CustomResourceDefinition deletes its custom resources, and each waits for its finalizers. Once the operator is gone nobody removes them, and the deletion never ends. Delete the custom resources while the operator runs.',
  },
  'cluster/objects-lost': {
    title: 'Objects would be deleted that the manifests do not name',
    explain:
      'Deleting a CustomResourceDefinition deletes all objects of its kind, in all namespaces, and deleting a Namespace deletes everything in it. This cannot be undone. On a terminal op-sdk asks; without a terminal this is an error and nothing is deleted, unless `--yes` is given. `op-sdk undeploy --keep-crds` keeps these objects, and removes the operator alone.',
  },
  'cluster/namespace-kept': {
    level: 'warning',
    title: 'A Namespace of the operator is kept',
    explain:
      '`op-sdk undeploy --keep-crds` deletes nothing that the manifests do not name. The Namespace of the operator holds such objects, such as custom resources and the Pods and volumes that belong to them, or its contents could not be listed, so it stays; the next deploy uses it again.',
  },
  'cluster/finalizers-kept': {
    level: 'warning',
    title: 'Custom resources with finalizers are kept without their operator',
    explain:
      '`op-sdk undeploy --keep-crds` keeps custom resources. Those with finalizers of the operator can still be read and changed, but who deletes one waits for the operator to remove its finalizer, also if it goes with its namespace. The next deploy finishes such deletions.',
  },
  'cluster/conversion-kept': {
    level: 'warning',
    title: 'A definition is kept whose conversion webhook is deleted',
    explain:
      'The API server asks the operator to convert objects between the versions of the CustomResourceDefinition. `op-sdk undeploy --keep-crds` keeps the definition and deletes the operator: until the next deploy, the API server answers only requests that need no conversion, those for the version in which the objects are stored. Controllers of Kubernetes that read all kinds, such as the one that deletes the contents of namespaces, wait too.',
  },
  'cluster/no-inventory': {
    title: 'op-sdk cannot keep an inventory of what it deploys',
    explain:
      "The inventory is a Secret beside the operator, named after the operator's Deployment: the one whose name ends in controller-manager, or the only one. If the manifests have no such Deployment, or several, nothing is recorded, and what leaves the manifests later is not found. With `--prune` this is an error.",
  },
  'cluster/inventory-forbidden': {
    title: 'The identity may not keep the inventory',
    explain:
      '`op-sdk deploy` keeps a Secret beside the operator that says where its objects are. Without permission to read and write it, objects are applied without it: new ones get no label `applyset.kubernetes.io/part-of`, those that have it keep it, and nothing is pruned. A later deploy with the permission finds the objects that were removed from the manifests. With `--prune` this is an error, before anything is written.',
  },
  'cluster/inventory-of-others': {
    title: 'The Secret of the inventory belongs to something else',
    explain:
      'op-sdk keeps its inventory in a Secret with a fixed name. Another Secret has that name, or the Secret is the inventory of another tool, such as `kubectl apply --applyset`: two tools would prune what the other has applied. Deleting such an inventory deletes none of its members; the next deploy records them again.',
  },
  'cluster/members-not-listed': {
    title: 'Objects of a kind could not be listed',
    explain:
      'To find what has left the manifests, op-sdk lists the kinds of the inventory by a label. A kind that could not be listed stays in the inventory, for a later deploy. With `--prune` this is an error, before anything is written.',
  },
  'cluster/other-applyset': {
    title: 'An object belongs to another ApplySet',
    explain:
      'The label `applyset.kubernetes.io/part-of` of an object on the cluster says that another operator, or another tool, has deployed it and will prune it once it no longer needs it. An object is in one ApplySet at most. If two operators need it, deploy it by itself and leave it out of both. If the operator was moved to another namespace or renamed, `op-sdk deploy --take-over` makes the object a member of the new ApplySet; see docs/deploy.md. `op-sdk undeploy` leaves such objects alone, and says so.',
  },
  'cluster/former-operator': {
    title: 'The operator from which objects are taken over still runs',
    explain:
      '`op-sdk deploy --take-over` makes objects of another ApplySet members of this one, as for an operator that was moved or renamed. The Deployment of the former operator is not among them, and keeps running: two operators then work on the same custom resources. Scale it to zero before the deploy, and remove what is left of it afterwards; docs/deploy.md has the steps.',
  },
  'cluster/part-of-given': {
    title: 'A manifest contains what the inventory is made of',
    explain:
      'Labels of ApplySets are written by the tool that deploys, never by hand; they get into manifests by copies of objects from a cluster. The Secret of the inventory itself cannot be part of the manifests either.',
  },
  'cluster/left-over': {
    title: 'Objects have left the manifests and are still on the cluster',
    explain:
      'An earlier deploy has written them, and the manifests no longer name them: they were removed, renamed or moved to another namespace. On a terminal op-sdk asks whether to delete them. In a script nothing is deleted without `--prune`; they stay in the inventory, so that a later deploy finds them again. `--no-prune` keeps them without a word.',
  },
  'cluster/not-pruned': {
    title: 'Objects that are never pruned have left the manifests',
    explain:
      'Namespaces, CustomResourceDefinitions and PersistentVolumeClaims are never deleted because they are missing in the manifests: everything in the namespace, all custom resources, or data would go with them. They are named until they are deleted by hand, or until the label `applyset.kubernetes.io/part-of` is removed from them.',
  },
  'cluster/rollout-failed': {
    title: 'A workload cannot be rolled out',
    explain:
      'Its controller has given up, or its Pods cannot be created. The message includes the state of the Pods.',
  },
  'cluster/rollout-timeout': {
    title: 'A workload was not ready in time',
    explain:
      'The objects are on the cluster, but their Pods are not ready. The message includes the state of the Pods; the cluster continues to try.',
  },
  'cluster/no-nodes': {
    title: 'No node of the cluster can run Pods',
    explain:
      'The cluster has no node, as a test control plane has none, or none that is ready and takes Pods. The objects are on the cluster; their Pods start once there is a node. The wait for the rollout ends early, unless an autoscaler has said that it adds a node.',
  },
  'cluster/default-image': {
    title: 'The operator has the default image',
    explain:
      'controller:latest is the placeholder of scaffolded projects, which no registry has: the cluster cannot pull it. Build and push an image under your own name, and deploy with that name.',
  },
  'cluster/image-not-used': {
    exitCode: 2,
    title: 'No container uses the image',
    explain:
      '--image replaces the image named controller of config/manager, and no container of the manifest has it.',
  },
  'cluster/old-node': {
    title: 'Node is too old',
    explain: 'op-sdk and the operators that it bundles use features that older versions of Node do not have.',
  },
  'cluster/dependencies-missing': {
    title: 'Packages of the project are not installed',
    explain:
      'The project cannot be built or tested without the dependencies in its package.json. Run the install command of your package manager.',
  },
  'cluster/no-package-manager': {
    title: 'The package manager of the project is not on the PATH',
    explain:
      'The lock file says which package manager the project uses; its scripts and the Makefile call it.',
  },
  'cluster/lock-file': {
    title: 'The project has no lock file, or several',
    explain:
      'Images and CI install exactly what the lock file says. Without one they cannot, and with two it is unclear which one applies.',
  },
  'cluster/other-op-sdk': {
    title: 'The op-sdk that runs is not the one of the project',
    explain:
      'Manifests are generated by the op-sdk that the project depends on, and another version may generate others. Call the one of the project: npx --no op-sdk.',
  },
  'cluster/old-scaffolds': {
    title: 'The project has the scaffolds of an older op-sdk',
    explain:
      'A newer op-sdk is installed, but the files that it scaffolds are still those of the version in PROJECT. `op-sdk upgrade` brings them to the new version and keeps edits.',
  },
  'cluster/dependency-outside': {
    title: 'op-sdk is installed from outside of the project',
    explain:
      'package.json names a path for opsdk that leads out of the project. Images and CI have only the files of the project, so that they cannot install it.',
  },
  'cluster/no-registry-credentials': {
    title: 'There are no credentials for the registry of the image',
    explain:
      'Most registries require a login for pushing. Credentials are read from the files of docker and podman. A registry that answers its first request (`GET /v2/`) without any is not reported, though a push may still need them.',
  },
  'cluster/dockerfile-misses-sources': {
    title: 'The Dockerfile leaves sources out',
    explain:
      'What is not copied into the image that builds the operator is missing there: a new folder of sources or assets needs its COPY, and must not be in .dockerignore.',
  },
  'cluster/server-version': {
    title: 'op-sdk is not tested with this version of Kubernetes',
    explain: 'It may work anyway; op-sdk is tested with the versions that the message names.',
  },
  'cluster/not-permitted': {
    title: 'RBAC does not permit what a deploy does',
    explain:
      'Installing an operator requires permission to write CustomResourceDefinitions, cluster roles and the other kinds of config/default.',
  },
  'cluster/not-deployed': {
    title: 'The operator is not deployed on the cluster',
    explain: 'No Deployment has its name. Deploy it, or run it on this machine with `op-sdk run`.',
  },
  'cluster/image-not-pulled': {
    title: 'The cluster cannot pull the image of the operator',
    explain:
      'The image was not pushed, was pushed under another name, or is in a registry that requires credentials from the cluster. The wait for a rollout ends early for such causes, once the pull has been repeated; it continues where a registry does not answer, because that may be temporary.',
  },
  'cluster/operator-crashes': {
    title: 'The operator keeps crashing',
    explain:
      'Kubernetes restarts it each time, after a growing delay. The last output of its container is in the message; its log has more.',
  },
  'cluster/operator-not-ready': {
    title: 'The operator is deployed but not ready',
    explain:
      'Its Pods do not exist yet, cannot be scheduled, or do not answer their readiness probe. The message comes from Kubernetes.',
  },
  'cluster/no-custom-resource': {
    title: 'There is nothing for the operator to do',
    explain:
      'An operator works on objects of its kinds, and the cluster has none. Create one, such as the sample of the project.',
  },
  'cluster/no-service-account': {
    title: 'The manifests do not say which ServiceAccount the operator has',
    explain:
      '`op-sdk run --as-service-account`, `op-sdk dev` and `op-sdk rbac audit` run the operator as the ServiceAccount of its Deployment, with the roles that are bound to it, as config/default has them. It has no Deployment and no ServiceAccount, or several. With `--no-as-service-account` the operator runs as the user of the kubeconfig.',
  },
  'cluster/no-token': {
    title: "No token of the operator's ServiceAccount could be requested",
    explain:
      'The operator gets a short-lived token of its ServiceAccount by the TokenRequest API, as the kubelet requests it for a Pod. Whoever runs op-sdk needs `create` on `serviceaccounts/token`, which the roles admin and edit of Kubernetes include; tokens are never sent over plain HTTP. With `--no-as-service-account` the operator runs as the user of the kubeconfig.',
  },
  'cluster/storage-not-readable': {
    title: 'The objects of a kind cannot be read',
    explain:
      'Storage migration reads every object and writes it back. If no version of the CustomResourceDefinition is served, nobody can do that.',
  },
  'cluster/storage-changed': {
    title: 'A definition changed while its objects were rewritten',
    explain:
      'Objects may have been stored in another version by then, so `status.storedVersions` still names all versions. Run `op-sdk storage migrate` again.',
  },
  ...ownershipCodes,
  'cluster/stored-version-removed': {
    title: 'A version would be removed in which objects may be stored',
    explain:
      'The API server refuses a CustomResourceDefinition without a version that its `status.storedVersions` names, for it could not read these objects any more. First make another version the storage version and install that, then run `op-sdk storage migrate`, then remove the version.',
  },
  'cluster/used-version-removed': {
    title: 'The project uses a version that it does not serve',
    explain:
      'A sample or a source file names a version of a kind which the project’s CustomResourceDefinition no longer has, or has with `served: false`. The API server would answer such requests with 404.',
  },
  'cluster/audit-forbidden': {
    title: 'The operator was forbidden something in its tests',
    explain:
      "`op-sdk rbac audit` ran the tests with the rights of the operator's ServiceAccount, and the API server denied a request, as it would in the cluster. The rule in the fix permits it. If the operator should not ask for it, change the operator.",
  },
  'cluster/audit-unused': {
    level: 'warning',
    title: 'A permission of the operator was not used by its tests',
    explain:
      'The generated role grants something that the operator never asked for while the command of `op-sdk rbac audit` ran. Either nothing needs it, or no test does what needs it: both are worth a look. What the runtime needs without asking each time is not reported: `create` beside an apply, `list` beside `watch`, `get` beside finalizers, `update` of `finalizers`.',
  },
  'cluster/audit-open-ended': {
    level: 'warning',
    title: 'A permission with `*` was used',
    explain:
      'A rule with `*` also grants what is added to the cluster later. The message lists what the operator used of it in the audit: usually these can be named in its place.',
  },
  'cluster/audit-saw-nothing': {
    title: 'The operator sent no request in an audit',
    explain:
      "The command of `op-sdk rbac audit` ended, and the API server saw no request of the operator's ServiceAccount: the tests ran the operator as the administrator, on another control plane, or not at all.",
  },
  'cluster/audit-command-failed': {
    title: 'The command of an audit failed',
    explain:
      'The tests that `op-sdk rbac audit` ran ended with another exit code than 0. A frequent cause is a permission that the operator lacks, which the audit reports beside it; what ran after the failure was not audited.',
  },
} satisfies ExplainedCodes;
