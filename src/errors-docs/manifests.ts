import type { ManifestsCode } from '../errors/index.ts';
import type { Explanation } from './explanation.ts';

export const manifestsExplanations = {
  'manifests/not-in-project': {
    title: 'A kind is not listed in PROJECT',
    explain:
      'A source of the project declares a kind of its domain that PROJECT does not list, so `create api` does not know it. The message says what to add. Kinds of other domains, such as imported ones, need no entry.',
  },
  'manifests/no-source': {
    title: 'PROJECT lists a kind that no source declares',
    explain:
      'The file of the kind was deleted or changed, but its entry in PROJECT is still there. Restore the declaration, or remove the entry, and with it what config/crd, config/rbac and config/samples list for the kind.',
  },
  'manifests/crd-not-listed': {
    title: 'A CustomResourceDefinition is not installed',
    explain:
      'The CRD is generated, but config/crd/kustomization.yaml does not list it, so that `install`, `deploy` and bundles leave it out. Add the line of the message; a line that is commented out counts as left out on purpose.',
  },
  'manifests/controller-not-added': {
    title: 'A controller does not run',
    explain:
      'A source declares the controller and nothing uses it: no `manager.add` in src/main.ts, nor anything else. Add the lines of the message; a line that is commented out counts as left out on purpose.',
  },
  'manifests/not-constant': {
    title: 'A declaration is not a constant',
    explain:
      'The arguments of defineResource, defineController, rbac and loadManifest are read from the source; op-sdk never runs your code. Write literals, template literals, spreads and property accesses of `as const` values of the project, members of enumerations, or the values themselves.',
  },
  'manifests/indirect-declaration': {
    title: 'A declaration function is not called directly',
    explain:
      'defineResource, defineController, rbac or loadManifest is passed on as a value, so op-sdk cannot see what is declared with it. Call it in the declaration itself.',
  },
  'manifests/unread-file': {
    title: 'A declaration in a file that is not read',
    explain:
      'Kinds, controllers and permissions are read from TypeScript files. In a JavaScript or JSX file they would silently be missing from the CRDs and the role.',
  },
  'manifests/invalid-declaration': {
    title: 'A declaration has the wrong shape',
    explain:
      'A property is missing, unknown, or has a value of the wrong type. The message names the property and what it takes.',
  },
  'manifests/missing-type-argument': {
    title: 'defineResource has no type argument',
    explain:
      'The schema is generated from the interface: write `defineResource<Memcached>({ … })` with an interface that extends CustomResource.',
  },
  'manifests/kind-mismatch': {
    title: 'An interface is of another kind than defineResource declares',
    explain:
      'The arguments of CustomResource tell a kind from others of the same shape: they are the `group/version` and the kind that `defineResource` declares for the interface. With other arguments the type checker would take objects of this kind for objects of another one.',
  },
  'manifests/unusual-name': {
    title: 'A kind or a version has an unusual name',
    explain:
      'Kinds are CamelCase, versions look like v1, v1alpha1 or v2beta3. The API server accepts other names, but tools and people expect these.',
  },
  'manifests/name-taken': {
    title: 'Two kinds of a group have the same plural',
    explain:
      'The plural and the group are the name of the CustomResourceDefinition, so that two kinds cannot share them.',
  },
  'manifests/name-clash': {
    title: 'Two kinds of a group have the same name',
    explain:
      'Within a group the plurals, singulars and short names of all kinds must differ, and so must their kinds and list kinds. The API server accepts both CustomResourceDefinitions, but establishes only the first: objects of the second kind cannot be created.',
  },
  'manifests/versions-disagree': {
    title: 'The versions of a kind disagree',
    explain:
      'All versions of a kind share one CustomResourceDefinition, hence its scope and names, its conversion, labels, annotations and the order of its versions.',
  },
  'manifests/version-order': {
    title: 'crd.versionOrder does not list the versions',
    explain: '`crd.versionOrder` lists every version of the kind exactly once.',
  },
  'manifests/said-twice': {
    title: 'The same thing is declared by tags and in defineResource',
    explain:
      'The scale subresource and the selectable fields come from tags on the fields or from defineResource, not from both.',
  },
  'manifests/unserved': {
    title: 'No version of a kind is served',
    explain: 'A kind cannot be read or written if all of its versions have `served: false`.',
  },
  'manifests/status-without-field': {
    title: 'A status subresource without a status',
    explain:
      'The API server drops fields that the schema does not name, so that nothing can be written to this status.',
  },
  'manifests/identical-versions': {
    title: 'Two versions of a kind have the same schema',
    explain:
      'Apart from descriptions the versions do not differ. One of them is unnecessary, unless clients still use its name: then it is `deprecated`.',
  },
  'manifests/no-conversion': {
    title: 'Versions differ and are not converted',
    explain:
      'Without a conversion webhook the API server changes only `apiVersion`, and drops the fields that the other version does not have. op-sdk does not support conversion webhooks yet: give both versions the same fields, or set `conversion` with the strategy `None` in defineResource if nothing can be lost. For a webhook that you run yourself, set its `clientConfig` in `conversion`.',
  },
  'manifests/conversion-ca': {
    title: 'A conversion webhook that the API server cannot trust',
    explain:
      'A webhook inside the cluster has a certificate of a private authority. Set its `caBundle` by hand, or have cert-manager or OpenShift set it by an annotation of the CustomResourceDefinition.',
  },
  'manifests/large-crd': {
    title: 'A CustomResourceDefinition is large',
    explain:
      'Client-side `kubectl apply` stores the whole document in an annotation of at most 262,144 bytes. Apply large CustomResourceDefinitions with `--server-side`.',
  },
  'manifests/unresolved-resource': {
    title: 'A controller names a resource that cannot be resolved',
    explain:
      'for, owns and watches take resource tokens: a value of defineResource, a built-in kind of opsdk/k8s/<group>/<version>, or externalResource({ … }) with literals. Without them the permissions of the operator are unknown.',
  },
  'manifests/invalid-rbac-rule': {
    title: 'An RBAC rule is not valid',
    explain:
      'A rule has verbs and either groups with resources or nonResourceURLs, all of them lists of text that are not empty.',
  },
  'manifests/unknown-verb': {
    title: 'An RBAC rule has an unknown verb',
    explain:
      'The verbs of Kubernetes are get, list, watch, create, update, patch, delete and deletecollection, for some resources also use, bind, escalate, impersonate, approve, sign and attest; for URLs get, head, post, put, patch, delete and options. RBAC itself accepts any text and then permits nothing.',
  },
  'manifests/wide-permission': {
    title: 'An RBAC rule uses a wildcard',
    explain:
      '`*` permits more than the operator needs, including what Kubernetes adds later. op-sdk keeps a wildcard that you write, and never adds one itself.',
  },
  'manifests/useless-rbac-rule': {
    title: 'An RBAC rule permits nothing',
    explain:
      'The rule is valid but no request can match it, for example `create` restricted by resourceNames, or a resource that the group does not have.',
  },
  'manifests/verify-refused': {
    title: 'The API server refuses a generated CustomResourceDefinition',
    explain:
      '`--verify` has an API server check every generated definition without storing it. Some rules only an API server can check: whether a CEL expression compiles, what it costs at most, and what an update of the installed definition may change.',
  },
  'manifests/no-kinds': {
    title: 'No kind is declared',
    explain:
      'No call of defineResource was found, so no CustomResourceDefinition can be written. `op-sdk create api` adds the first kind.',
  },
  'manifests/apis-dir': {
    title: 'The folder of --apis-dir cannot be used',
    explain: '--apis-dir names an existing folder with the TypeScript files that declare the kinds.',
  },
  'manifests/output-dir': {
    title: 'The folder of --output-dir cannot be used',
    explain:
      '--output-dir names the folder for the generated files; it must not be a file. It cannot be combined with --stdout.',
  },
  'manifests/stale': {
    title: 'A generated manifest belongs to no kind',
    explain:
      'A CustomResourceDefinition in the output folder no longer has a kind in the sources. op-sdk deletes it only if op-sdk wrote it and nobody has edited it since.',
  },
  'manifests/out-of-date': {
    title: 'The generated manifests are out of date',
    explain:
      'The sources have changed since the manifests were generated. Run `op-sdk generate manifests` and commit the result.',
  },
} satisfies Readonly<Record<ManifestsCode, Explanation>>;
