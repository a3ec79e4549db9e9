import { supportedKubernetes } from '../../base/util/kubernetes-releases.ts';
import type { ExplainedCodes } from '../../base/errors/index.ts';

export const testapiCodes = {
  'testapi/unsupported': {
    title: 'The test API does not do this as the real API server would',
    explain:
      'An answer that differs from that of the real API server would make a test pass that should fail, so `createTestApi` refuses instead. docs/testing.md lists what it does. Test this against a real API server, with `startControlPlane` of `opsdk/testing`. `settle` and `advance` report it too, if the code under test swallows the error.',
  },
  'testapi/unknown-kind': {
    title: 'A kind of the test API has no schema',
    explain:
      "`createTestApi` takes the schemas of custom resources from `crds`, by default the project's own in config/crd/bases, and knows all built-in kinds whose objects the API server stores, so not TokenReview, for example. Generate the CRD (`op-sdk generate manifests`), or name its file in `crds`.",
  },
  'testapi/no-defaults': {
    title: 'A built-in kind has no defaults in the test API',
    explain:
      'The test API serves this kind with its schema alone: objects get no defaults, and are not validated as the API server does. docs/testing.md lists the kinds with rules. Without `strictDefaults` this is a warning, once for each kind. Test what depends on the defaults against a real API server, with `startControlPlane` of `opsdk/testing`.',
  },
  'testapi/invalid-object': {
    title: 'The API server would refuse an object of a test',
    explain:
      'The objects that `createTestApi` is given are created in their order, as a client would create them. Those that the API server refuses cannot exist; the message is its own. Namespaces other than `default` must come before what is in them. A status is written after the object.',
  },
  'testapi/started': {
    title: 'A controller is added too late',
    explain: 'The first `settle` or `advance` starts the added controllers. Add all of them before.',
  },
  'testapi/not-settled': {
    title: 'The controllers do not come to rest',
    explain:
      'An object was reconciled very often within one `settle` or `advance`: each reconcile changes something that causes the next one, or asks for the next one at once. Two controllers may fight for a field, or a status may hold a time of each run.',
  },
  'testapi/reconcile-failed': {
    title: 'Objects whose last reconcile failed',
    explain:
      'When the added controllers have come to rest, `settle` and `advance` throw what the last reconcile of an object threw, because a test that goes on would look at a half-finished state. The error is the cause. Catch it where the failure is what the test is about.',
  },
} satisfies ExplainedCodes;

export const crdtestCodes = {
  'crdtest/invalid-case': {
    title: 'A case for a CustomResourceDefinition is not as it should be',
    explain:
      'A file of cases has the lists `valid`, `invalid` and `update`. Each case has a name and an object, which is a merge patch for `base`; with it, the object has an `apiVersion` and a `kind`. A case of `invalid` names the refused `field` or a part of the `message`, because an object that is refused for another reason proves nothing. docs/crd/test.md has an example, and op-sdk brings a schema for editors.',
  },
  'crdtest/unknown-kind': {
    title: 'A case is about a kind without definition',
    explain:
      'The `apiVersion` and the `kind` of the object are in none of the CustomResourceDefinitions: a version was renamed or removed, or the group is misspelt. By default the definitions are those that the sources of the project generate now; `--crds` names others.',
  },
  'crdtest/server-differs': {
    title: 'A real API server judges a case otherwise',
    explain:
      'With `--verify`, the cases are run in memory and on a real API server. Where the two differ, the real one is right, and the API server in memory has a defect. The case still counts as the memory says; please report it.',
  },
  'crdtest/no-cases': {
    title: 'No cases for CustomResourceDefinitions',
    explain:
      'Neither the folder test/crds has files with cases, in a folder for each group, nor were files named. A run without a case proves nothing, so it fails.',
  },
} satisfies ExplainedCodes;

export const testenvCodes = {
  'testenv/invalid-version': {
    exitCode: 2,
    title: 'An invalid Kubernetes version',
    explain: `The version of a test control plane is a full release number such as \`${supportedKubernetes.release}\`; a leading \`v\` is allowed.`,
  },
  'testenv/missing-binaries': {
    title: 'The folder in KUBEBUILDER_ASSETS lacks binaries',
    explain:
      'KUBEBUILDER_ASSETS is set, so the binaries of the control plane are read from that folder only, but some are missing there. Put the missing ones there, or unset the variable and run `op-sdk testenv install`.',
  },
  'testenv/no-binaries': {
    title: 'No binaries for a control plane',
    explain:
      'etcd, kube-apiserver and kube-controller-manager were neither in KUBEBUILDER_ASSETS nor in the cache, could not be downloaded, and could not be built. The message says what was tried and why each way failed. kube-controller-manager is in no archive for tests; on Linux it is taken from the server archive of the release if op-sdk or `OPSDK_KUBERNETES_SHA512` names its SHA-512.',
  },
  'testenv/checksum-mismatch': {
    title: 'A downloaded archive is not the published one',
    explain:
      'The SHA-512 of the archive differs from the one that is expected: that of `OPSDK_ENVTEST_SHA512` (for the server archive of a release `OPSDK_KUBERNETES_SHA512`), else that which comes with op-sdk, else that of the release index. The file was damaged or replaced in transit; it was deleted and nothing else was tried. Try again, and check your proxy or mirror if it happens again.',
  },
  'testenv/not-installed': {
    title: 'A version is not installed',
    explain:
      'The cache does not have this version. `op-sdk testenv list` shows the installed versions, `op-sdk testenv install` installs one.',
  },
  'testenv/start-failed': {
    title: 'The control plane did not start',
    explain:
      'One of etcd, kube-apiserver and kube-controller-manager ended or did not become ready in time. The last lines of its log are in the message; a flag it does not know, a port, or a full disk is the usual cause.',
  },
  'testenv/version-mismatch': {
    title: 'The binaries have another version than requested',
    explain:
      'The kube-apiserver in KUBEBUILDER_ASSETS or in the cache reports another version than the requested one. Unset KUBEBUILDER_ASSETS, or do not request a version.',
  },
  'testenv/managed-flag': {
    title: 'A flag of kube-apiserver that the control plane sets itself',
    explain:
      'Addresses, ports, certificates, storage and the audit log of the test control plane are set by op-sdk: other parts of it depend on them. Use the options of `startControlPlane` where there is one.',
  },
  'testenv/not-running': {
    title: 'The control plane does not run',
    explain: 'The call needs a running API server, but it was killed or the control plane was stopped.',
  },
  'testenv/no-nodes': {
    title: 'The control plane has no nodes',
    explain:
      'A control plane without nodes creates Pods but runs none. startControlPlane({ nodes: 1 }) adds a node that pretends to run them.',
  },
  'testenv/not-drained': {
    title: 'A node of a test control plane is not drained in time',
    explain:
      'Draining evicts the Pods of a node and waits until they have ended. A PodDisruptionBudget refuses evictions until enough other Pods are ready, and a Pod takes up to its terminationGracePeriodSeconds to end. The findings name the Pods that are left.',
  },
  'testenv/no-addresses': {
    title: 'There are no loopback addresses for the Pods of a test control plane',
    explain:
      'With `runProcesses`, each Pod has an address of 127.0.0.0/8, in a block of 65,536 that one control plane has for itself. Linux has these addresses by itself; macOS has those that were added with `ifconfig lo0 alias`; on Windows, processes run in WSL 2 only.',
  },
  'testenv/invalid-programs': {
    title: 'A file of programs that cannot be read',
    explain:
      'test/programs.yaml maps images to programs of this machine, which `op-sdk dev` runs in place of their containers: `etcd: [etcd, etcdutl]`, or `etcd: etcd`. An image is named as a whole, without tag and digest, or by the last part of its name; the first program is its entrypoint. A container with a command runs the program of that file name, so the programs of an image have different ones.',
  },
  'testenv/program-missing': {
    title: 'A program for the containers of an image was not found',
    explain:
      'test/programs.yaml names programs that `op-sdk dev` runs in place of containers. A name is looked for in PATH, then among the binaries of the test control plane, which have etcd; with a slash it is a path relative to the project.',
  },
  'testenv/unknown-name': {
    title: 'A name stands for no Pod and no Service',
    explain:
      'With `runProcesses`, the names POD.SUBDOMAIN.NAMESPACE.svc and SERVICE.NAMESPACE.svc have addresses, with or without .cluster.local. Short names such as SERVICE are not resolved, because they depend on the namespace of the Pod that asks. Pods that only pretend to run answer at no address.',
  },
  'testenv/audit-off': {
    title: 'The audit log is off',
    explain:
      'Audit events exist only if the control plane was started with `audit: true` or with an audit policy.',
  },
  'testenv/request-refused': {
    title: 'The API server refuses a request of the test set-up',
    explain: 'The message has the answer of the API server.',
  },
  'testenv/invalid-crd': {
    title: 'A CRD that cannot be installed',
    explain:
      'A file given to `installCrds` contains no CustomResourceDefinition of apiextensions.k8s.io/v1, or the API server refuses it. Nothing is installed if one of the files cannot be read.',
  },
  'testenv/crd-not-established': {
    title: 'A CRD that the API server does not serve',
    explain:
      'The CRD was accepted, but its condition `Established` did not become true; usually its names are taken.',
  },
  'testenv/invalid-webhook': {
    title: 'A webhook configuration that cannot be installed',
    explain:
      'A file given to `startControlPlane({ webhooks })` contains no MutatingWebhookConfiguration and no ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1, two of them have the same name, or the API server refuses one. Nothing is installed if one of the files cannot be read.',
  },
  'testenv/webhooks-not-asked': {
    title: 'The API server does not use the webhook configurations yet',
    explain:
      'The configurations of `startControlPlane({ webhooks })` are stored, but the API server, which follows them by a watch, did not use them within ten seconds. On a machine that is very busy, run it again.',
  },
  'testenv/eventually-timeout': {
    title: 'A condition was not met in time',
    explain:
      '`eventually` tried until its time was up. The message holds the last failure; the error itself is its cause.',
  },
  'testenv/foreign-file': {
    title: 'A file that op-sdk did not write would be overwritten',
    explain:
      '`testenv run --kubeconfig` replaces only kubeconfig files of former test control planes, never your own files.',
  },
  'testenv/cannot-join': {
    title: 'The control plane of an audit is not the one that is asked for',
    explain:
      'Under `op-sdk rbac audit`, `startControlPlane` joins the control plane of the audit. It cannot start another version, other flags or feature gates there, nor stop or restart the API server, as other tests use it too. One control plane at a time has nodes there: stop it before the next one is started, and run files of tests one after the other (`--no-file-parallelism` of vitest). Skip the other tests in the audit: the environment variable `OPSDK_CONTROL_PLANE` is set there.',
  },
} satisfies ExplainedCodes;

export const testingCodes = {
  'testing/fast-check-missing': {
    title: 'The package fast-check is not installed',
    explain:
      'expectRoundTrip generates objects with fast-check, which it does not bring: only projects with conversions need it. Install it with `npm install --save-dev fast-check`.',
  },
  'testing/no-schema': {
    title: 'The schema of a version that is converted was not found',
    explain:
      'expectRoundTrip generates objects from the schemas in config/crd/bases, or in the files that `crds` names. Hub and spokes must all be versions of the CustomResourceDefinition there: run `op-sdk generate manifests`.',
  },
  'testing/no-valid-objects': {
    title: 'No object could be generated that a schema allows',
    explain:
      'Objects are generated field by field, and those that the schema as a whole refuses, or `where` does, are thrown away. If nearly all are, the schema combines fields in a way that chance does not meet. Narrow such fields for the test, or test the conversion with objects of your own.',
  },
  'testing/round-trip-failed': {
    title: 'A conversion loses or changes data',
    explain:
      'The error shows the smallest object that was found, what it was converted to, and where it differs afterwards. Run the test with the `seed` of the message to see the same failure again. Fields that may be lost belong to `lossy`.',
  },
} satisfies ExplainedCodes;
