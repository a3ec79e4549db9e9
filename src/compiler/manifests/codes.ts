import type { ExplainedCodes } from '../../base/errors/index.ts';

export const manifestsCodes = {
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
  'manifests/webhook-not-added': {
    level: 'warning',
    title: 'A webhook is not answered',
    explain:
      'A source declares the webhook and nothing uses it: no `manager.add` in src/main.ts, nor anything else. The API server would ask for it nevertheless, and refuse the requests if `failurePolicy` is Fail. Add the lines of the message; a line that is commented out counts as left out on purpose.',
  },
  'manifests/conversion-not-added': {
    level: 'warning',
    title: 'A conversion is not served',
    explain:
      'A source declares the conversion and nothing uses it: no `manager.add` in src/main.ts, nor anything else. The API server could not read objects in other versions than the stored one. Add the lines of the message; a line that is commented out counts as left out on purpose.',
  },
  'manifests/webhook-not-listed': {
    level: 'warning',
    title: 'Webhook configurations are not installed',
    explain:
      'config/webhook/manifests.yaml is generated, but the kustomizations of the project do not lead to it, so that `deploy` and bundles leave it out and the API server never asks the webhooks. Add the line of the message; a line that is commented out counts as left out on purpose.',
  },
  'manifests/invalid-webhook': {
    title: 'A webhook is invalid',
    explain:
      'The API server would refuse the configuration: a setting has a value that it does not know, `timeoutSeconds` is not between 1 and 30, a path, a label selector, a match condition or a subresource is not valid. The message says what is expected.',
  },
  'manifests/duplicate-webhook': {
    title: 'Two webhooks have one name or path',
    explain:
      'A version of a kind has one webhook that defaults and one that validates, and each is served at a path of its own. Join the two declarations, or set another `path`.',
  },
  'manifests/webhook-blocks-operator': {
    level: 'warning',
    title: 'A webhook may block its own operator',
    explain:
      'A webhook with the failure policy Fail refuses requests while the operator does not answer. If they are for objects that must be written before the operator can start, it never starts. Exclude the namespace or the objects of the operator by a selector, or set the failure policy Ignore.',
  },
  'manifests/conversion-hub': {
    title: 'The hub of a conversion is not the storage version',
    explain:
      'Every version is converted to the hub and from it. Objects are stored in the hub, so that reading and writing takes one conversion. Make the hub the storage version, or the storage version the hub.',
  },
  'manifests/conversion-versions': {
    title: 'A conversion does not fit the versions of its kind',
    explain:
      'Hub and spokes are versions of one kind that the project declares, each named once, and every version that is served is among them: objects of another one could not be converted.',
  },
  'manifests/duplicate-conversion': {
    title: 'A kind has two conversions',
    explain: 'A CustomResourceDefinition has one conversion. Write one `defineConversion` with all spokes.',
  },
  'manifests/not-constant': {
    title: 'A declaration is not a constant',
    explain:
      'The arguments of defineResource, defineController, defineWebhook, defineConversion, rbac and loadManifest are read from the source; op-sdk never runs your code. Write literals, template literals, spreads and property accesses of `as const` values of the project, members of enumerations, or the values themselves.',
  },
  'manifests/indirect-declaration': {
    title: 'A declaration function is not called directly',
    explain:
      'defineResource, defineController, defineWebhook, defineConversion, rbac or loadManifest is passed on as a value, or `spoke` is called apart from its defineConversion, so op-sdk cannot see what is declared with it. Call it in the declaration itself.',
  },
  'manifests/unread-file': {
    title: 'A declaration in a file that is not read',
    explain:
      'Kinds, controllers, webhooks, conversions and permissions are read from TypeScript files. In a JavaScript or JSX file they would silently be missing from the manifests.',
  },
  'manifests/invalid-declaration': {
    title: 'A declaration has the wrong shape',
    explain:
      'A property is missing, unknown, or has a value of the wrong type. The message names the property and what it takes.',
  },
  'manifests/missing-type-argument': {
    title: 'defineResource has neither a type argument nor a schema',
    explain:
      'The schema is generated from the interface: write `defineResource<Memcached>({ … })` with an interface that extends CustomResource. Or give it a schema of zod, valibot or arktype: `defineResource({ schema: memcachedSchema, … })`.',
  },
  'manifests/kind-mismatch': {
    title: 'An interface is of another kind than defineResource declares',
    explain:
      'The arguments of CustomResource tell a kind from others of the same shape: they are the `group/version` and the kind that `defineResource` declares for the interface. With other arguments the type checker would take objects of this kind for objects of another one.',
  },
  'manifests/unusual-name': {
    level: 'warning',
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
    level: 'warning',
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
    title: 'The same thing is declared twice',
    explain:
      'The scale subresource and the selectable fields come from tags on the fields or from defineResource, not from both; the conversion of a kind from defineConversion or from defineResource.',
  },
  'manifests/unserved': {
    level: 'warning',
    title: 'No version of a kind is served',
    explain: 'A kind cannot be read or written if all of its versions have `served: false`.',
  },
  'manifests/version-not-served': {
    title: 'A version that is not served is used',
    explain:
      'The API server answers 404 for a version with `served: false`: a controller of it never starts, a call of it always fails. Use a version that is served, or serve this one.',
  },
  'manifests/undeclared-kind': {
    title: 'A kind of the project is used that the project does not declare',
    explain:
      'A controller names a kind or version of a group of this project, and no defineResource declares it: the API server would answer 404. Declare it, correct the name, or, if another project defines a kind in this group, list it in PROJECT with `external: true`.',
  },
  'manifests/status-without-field': {
    level: 'warning',
    title: 'A status subresource without a status',
    explain:
      'The API server drops fields that the schema does not name, so that nothing can be written to this status.',
  },
  'manifests/identical-versions': {
    level: 'warning',
    title: 'Two versions of a kind have the same schema',
    explain:
      'Apart from descriptions the versions do not differ. One of them is unnecessary, unless clients still use its name: then it is `deprecated`.',
  },
  'manifests/no-conversion': {
    level: 'warning',
    title: 'Versions differ and are not converted',
    explain:
      'Without a conversion webhook the API server changes only `apiVersion`, and drops the fields that the other version does not have. Declare the conversion with defineConversion, give both versions the same fields, or set `conversion` with the strategy `None` in defineResource if nothing can be lost. For a webhook that you run yourself, set its `clientConfig` in `conversion`.',
  },
  'manifests/conversion-ca': {
    level: 'warning',
    title: 'A conversion webhook that the API server cannot trust',
    explain:
      'A webhook inside the cluster has a certificate of a private authority. Set its `caBundle` by hand, or have cert-manager or OpenShift set it by an annotation of the CustomResourceDefinition.',
  },
  'manifests/large-crd': {
    level: 'warning',
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
    level: 'warning',
    title: 'An RBAC rule uses a wildcard',
    explain:
      '`*` permits more than the operator needs, including what Kubernetes adds later. op-sdk keeps a wildcard that you write, and never adds one itself.',
  },
  'manifests/unknown-kind': {
    title: 'The kind of a call is unknown',
    explain:
      'The role is inferred from the code: the type of the first argument of a client method says which kind it needs a permission for. `Resource` without a type argument, `any`, or an interface without literal apiVersion and kind do not say it. Keep the type of the kind (arrays and maps of kinds do that by themselves, functions by a type parameter), or state the permissions at the place: `permitted(client, [{ groups, resources, verbs }]).delete(kind, key)`.',
  },
  'manifests/asserted-kind': {
    title: 'The kind of a call is asserted',
    explain:
      'The type of the kind comes from an assertion (`as`) or from `any`, so that the value may be of another kind than its type says, and the role would lack its permission. Remove the assertion, or state the permissions: `permitted(client, [{ groups, resources, verbs }])`.',
  },
  'manifests/unknown-subresource': {
    title: 'The subresource of a call is unknown',
    explain:
      'Permissions of subresources are permissions of their own: `deployments/scale` is not `deployments`. Write the name of the subresource as a literal in the call, or state the permissions: `permitted(client, [{ groups, resources, verbs }])`.',
  },
  'manifests/unknown-request': {
    title: 'The resource of a raw request is unknown',
    explain:
      'The path of `client.raw.request` says which permission it needs. The path may have values in the places of namespaces and names; API group, resource and subresource must be literal, and so must the names in the query of a read, since `watch` is a permission of its own. Else state the permissions: `permitted(client, [{ groups, resources, verbs }])`.',
  },
  'manifests/unknown-resource': {
    title: 'A rule names a resource that does not exist',
    explain:
      'The API group is one of Kubernetes, and it has no resource of that name: RBAC would accept the rule and permit nothing. Resources are plurals in lower case.',
  },
  'manifests/unknown-scope': {
    level: 'warning',
    title: 'Nobody knows whether a resource is in namespaces',
    explain:
      'A warning, for operators of one namespace only. They have a Role for what is in namespaces and a ClusterRole for the rest. A rule by hand for a resource that neither Kubernetes nor the project declares is put into the Role, which permits nothing if the resource is cluster-scoped. In that case, write a ClusterRole and a ClusterRoleBinding of your own in config/rbac.',
  },
  'manifests/indirect-call': {
    title: 'A method of a client is not called by its name',
    explain:
      'A method that is chosen at run time (`client[name]`), bound, or handed on as a value may be called with any kind by code that cannot be seen. Call it by its name, in a function of its own where one is needed: `(key) => client.delete(Pod, key)`. Or state the permissions: `permitted(client, [{ groups, resources, verbs }])`.',
  },
  'manifests/generic-as-value': {
    title: 'A generic function is handed on as a value',
    explain:
      'The kinds that a generic function works with are read from its calls. Where it is handed on as a value, its calls cannot be seen: write a function that calls it, `(kind) => remove(kind)`, in the place of `remove`.',
  },
  'manifests/client-escapes': {
    title: 'A client goes to code that cannot be read',
    explain:
      'A client, or an object, array or promise that holds one, becomes `any`, `unknown` or an interface that only looks like a client, or goes to code outside of the project: what is done with it there is unknown. Give that code a function that makes the calls, or state the permissions: `permitted(client, [{ groups, resources, verbs }])`.',
  },
  'manifests/undeclared-cached-kind': {
    title: 'A cached read of a kind that no controller declares',
    explain:
      '`client.get`, `find`, `list` and `byIndex` read the cache, which holds the kinds that some controller declares by `for`, `owns` or `watches`; the read of any other kind fails. Read the API server, `client.live.get(…)`, or declare the kind.',
  },
  'manifests/role-namespace': {
    level: 'warning',
    title: 'The Role of a rule with a namespace needs a kustomization of its own',
    explain:
      'A warning. A rule with `namespace` becomes a Role `manager-role-<namespace>` in config/rbac/role.yaml. The kustomization of config/default has `namespace:`, which puts every object into the namespace of the operator, and no RoleBinding of the scaffold refers to this Role: as it is deployed, it permits nothing. Apply the Role, and a RoleBinding in its namespace for the ServiceAccount of the operator, by a kustomization of its own, without `namespace:`.',
  },
  'manifests/reads-all-secrets': {
    level: 'warning',
    title: 'The operator may read all Secrets of the cluster',
    explain:
      'A warning. Listing or watching Secrets gives their content, and a ClusterRole gives it for every namespace. Where a few Secrets are enough, read them by `client.live.get`, watch one namespace with an operator that is namespaced, or give an explicit rule with `namespace` or `resourceNames`. An operator that owns Secrets says why: `/** @allow manifests/reads-all-secrets reason */` above its controller, its `owns` or the line that is reported.',
  },
  'manifests/grants-permissions': {
    level: 'warning',
    title: 'The operator writes roles or bindings',
    explain:
      'A warning. The API server lets nobody grant permissions that they do not have themselves: beside the rule for the roles or bindings, the operator needs each permission that it grants, or the verb `escalate` on roles or `bind` on those that it binds, as an explicit rule.',
  },
  'manifests/useless-rbac-rule': {
    level: 'warning',
    title: 'An RBAC rule permits nothing',
    explain:
      'The rule is valid but no request can match it, for example `create` restricted by resourceNames, or a resource that the group does not have.',
  },
  'manifests/unread-metric': {
    level: 'warning',
    title: 'A metric cannot be read from the sources',
    explain:
      '`create monitoring` reads which metrics the sources register in `metricsRegistry`, and which controllers there are, without running them. A name, labels or registries that only a run would show leave the metric out of the dashboard. Write them as literals, or as constants; a panel that you add by hand stays.',
  },
  'manifests/unserved-metric': {
    level: 'warning',
    title: 'A metric is not served',
    explain:
      'prom-client registers a metric in its own registry unless the option `registers` names another one, and operators serve `metricsRegistry` alone. Add `registers: [metricsRegistry]`, or pass the metric to `metricsRegistry.registerMetric`.',
  },
  'manifests/varying-reason': {
    level: 'warning',
    title: 'The reason of an Event or a condition varies',
    explain:
      'A warning. Programs recognize an Event or a condition by its reason: alerts match it, `kubectl get events` is filtered by it, and equal Events are counted as one. So a reason is one constant in CamelCase for each category of cause, and what varies, such as the message of an error, belongs into the note of the Event or the message of the condition. The same holds for the action of an Event. A text that the sources do not show, such as a field of the type `string`, is not reported; a union of literals says which values it has. Rules and examples: docs/conventions.md.',
  },
  'manifests/varying-condition-type': {
    level: 'warning',
    title: 'The type of a condition varies',
    explain:
      'A warning. The types of its conditions are part of a kind: users wait for them (`kubectl wait --for=condition=Ready`) and other programs read them, so that each is one constant in PascalCase. A computed type cannot be looked up by users, and a condition of a type that is no longer computed stays in the status. Report a list of things as a list in the status, and its summary as one condition.',
  },
  'manifests/reason-format': {
    level: 'warning',
    title: 'A reason, an action or a type of a condition is not CamelCase',
    explain:
      'A warning. Kubernetes writes reasons and actions as one word in CamelCase that begins with a capital, and types of conditions in PascalCase, optionally after a domain (`example.com/Ready`). A reason or an action of an Event has at most 128 characters, the reason of a condition 1,024, its type 316. An Event of any other reason is logged and not written; a condition whose reason or type the API server would refuse throws `runtime/invalid-condition` when it is set.',
  },
  'manifests/changing-message': {
    level: 'warning',
    title: 'The text of an Event or a condition changes at each run',
    explain:
      'A warning. Equal Events of 6 minutes are counted as one; with a time, a random value or a resource version in the note no two are equal, each is an object of its own, and beyond 25 for an object they are dropped. A condition with such a message is a new write of the status at each reconcile. Events and conditions have times of their own. A whole object in a text changes with each write, and may show secrets: name it by kind and name.',
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
    exitCode: 2,
    title: 'The folder of --apis-dir cannot be used',
    explain: '--apis-dir names an existing folder with the TypeScript files that declare the kinds.',
  },
  'manifests/output-dir': {
    exitCode: 2,
    title: 'The folder of --output-dir cannot be used',
    explain:
      '--output-dir names the folder for the generated files; it must not be a file. It cannot be combined with --stdout.',
  },
  'manifests/stale': {
    title: 'A generated manifest belongs to nothing in the sources',
    explain:
      'A CustomResourceDefinition in the output folder no longer has a kind in the sources, or config/webhook/manifests.yaml no webhook. op-sdk deletes it only if op-sdk wrote it and nobody has edited it since.',
  },
  'manifests/out-of-date': {
    title: 'The generated manifests are out of date',
    explain:
      'The sources have changed since the manifests, or the alerts and the dashboard, were generated. Run the command of the fix and commit the result.',
  },
} satisfies ExplainedCodes;
