import type { ExplainedCodes } from '../../base/errors/index.ts';

export const runtimeCodes = {
  'runtime/unsupported-node': {
    title: 'The operator was started on a Node that is too old',
    explain:
      'A bundled operator runs on Node 20.19 and newer. Base the image on a newer Node: `op-sdk image build` and the scaffolded Dockerfile do.',
  },
  'runtime/unknown-flag': {
    exitCode: 2,
    title: 'The operator does not know this flag',
    explain:
      'The flag is misspelt, or it is one that this version of opsdk does not have. `--help` lists the flags.',
  },
  'runtime/invalid-flag-value': {
    exitCode: 2,
    title: 'A flag of the operator has an invalid value',
    explain: 'A value is missing, is given to a flag that takes none, or is not among the possible values.',
  },
  'runtime/invalid-address': {
    exitCode: 2,
    title: 'An address to listen on is invalid',
    explain: 'Addresses are written host:port or :port; `0` means no server.',
  },
  'runtime/cannot-listen': {
    title: 'A server of the operator cannot listen on its address',
    explain:
      'Another process has the port, or the process may not use it (ports below 1024 need a capability). The message names the server and the address.',
  },
  'runtime/certificate-unreadable': {
    title: 'The certificate for metrics or webhooks cannot be read',
    explain:
      'The folder of `--metrics-cert-path` or `--webhook-cert-path` must hold a certificate and its key, PEM, as `tls.crt` and `tls.key` or under the names of the flags that end in `-cert-name` and `-cert-key`. The operator does not start without them: a self-signed certificate in their place would be refused by whoever checks it. Once it runs, it keeps the former certificate while new files cannot be read.',
  },
  'runtime/invalid-self-signed': {
    title: 'The environment describes self-signed certificates only in part',
    explain:
      'An operator whose webhooks have self-signed certificates makes them itself. `config/default/manager_webhook_patch.yaml` gives it the names it needs by the environment: `WEBHOOK_SERVICE_NAME`, `WEBHOOK_SECRET_NAME` and `POD_NAMESPACE`, which kustomize fills in after its prefixes. One of them is missing. In `createManager`, `certificateLifetime` is at most a third of `authorityLifetime`, so that no certificate outlives its authority.',
  },
  'runtime/webhook-untrusted': {
    title: 'The API server cannot be made to trust the webhooks',
    explain:
      'An operator with self-signed certificates keeps them in a Secret, and writes the authority into `caBundle` of its webhook configurations and of the CustomResourceDefinitions that it converts. One of these writes, or the watch of one of these objects, fails; until it succeeds the Pod is not ready, and the API server gets no answer from the webhooks. The roles for it are in `config/rbac/webhook_certificate_role.yaml` and `webhook_ca_role.yaml`.',
  },
  'runtime/metrics-reviews-forbidden': {
    title: 'The operator may not ask who reads its metrics',
    explain:
      'Secure metrics ask the API server about each reader, by TokenReview and SubjectAccessReview. The ServiceAccount of the operator needs the ClusterRole of `metrics_auth_role.yaml`, bound by `metrics_auth_role_binding.yaml`; until then every reader is refused. Both files are in `config/metrics`, which `[METRICS]` in `config/default` switches on; in older projects they are in `config/rbac`. The operator itself works.',
  },
  'runtime/invalid-duration': {
    title: 'A duration cannot be understood',
    explain:
      'Durations are milliseconds as a number, or text of numbers with the units ms, s, m, h and d: `1h30m`.',
  },
  'runtime/invalid-controller': {
    title: 'A controller declaration is invalid',
    explain:
      'Its name is used in metrics, logs and as part of the field manager and must be valid there; its concurrency is at least 1, its durations are more than 0.',
  },
  'runtime/duplicate-controller': {
    title: 'Two controllers have the same name',
    explain:
      'Metrics, logs and field ownership identify a controller by its name. Several controllers for one kind need different names.',
  },
  'runtime/manager-started': {
    title: 'The manager runs already',
    explain: 'Controllers, runnables and checks are added before `run`, and a manager runs once.',
  },
  'runtime/invalid-manager': {
    title: 'A manager is created with invalid options',
    explain:
      'The name becomes part of the field manager of all writes: it must not be empty and is at most 63 characters long.',
  },
  'runtime/invalid-cluster': {
    title: 'Another cluster is declared wrongly',
    explain:
      '`manager.addCluster` takes a name of its own for each cluster, and either a kubeconfig file, with a `context` of it or without, or what `loadCluster` returns.',
  },
  'runtime/unknown-cluster': {
    title: 'A controller watches a cluster that its manager does not know',
    explain:
      'The `cluster` of a watch is what `addCluster` of the same manager returned. A handle of another manager has a cache that this one does not run.',
  },
  'runtime/undeclared-kind': {
    title: 'The cache is asked for a kind that no controller declares',
    explain:
      'Every cached kind is a watch of the whole cluster (or of the chosen namespaces) and needs permissions and memory. It is never started by a read: declare the kind, or read it from the API server.',
  },
  'runtime/missing-permission': {
    title: 'The operator may not list or watch what it reconciles',
    explain:
      'At its start the manager asks the API server, by SelfSubjectAccessReviews, for every permission in `permissions`. Without list and watch a cache is never complete, so the operator ends; other missing permissions are logged as warnings. `op-sdk generate manifests` writes the rules to config/rbac/role.yaml and src/generated/rbac.ts, `op-sdk deploy` gives them to the operator.',
  },
  'runtime/outside-cache': {
    title: 'The cache is asked for a namespace that is not watched',
    explain: 'The manager watches certain namespaces only. The cache does not have objects of others.',
  },
  'runtime/cache-not-started': {
    title: 'The cache is read before the manager runs',
    explain: '`manager.run` fills the cache. Reads before it would never return.',
  },
  'runtime/cache-not-synced': {
    title: 'A kind could not be listed in time',
    explain:
      'Controllers start when all of their kinds are listed. The message has the last answer of the API server: often a missing permission or a CustomResourceDefinition that is not installed.',
  },
  'runtime/cache-memory': {
    title: 'The cache of a kind takes half of the memory',
    explain:
      'The operator keeps all objects of each kind that a controller declares. It estimates their size from their JSON, and logs this warning once for a kind that takes half of the memory limit of the container, or of the heap that Node may use if that is less. With more objects, or while all of them are listed again, the process would be killed. The three ways out are selectors, a transform and metadata alone: docs/observability.md, "What a cache costs".',
  },
  'runtime/cached-field-selector': {
    title: 'The cache cannot select by fields',
    explain:
      'Field selectors are evaluated by the API server. The cache supports label selectors and namespaces.',
  },
  'runtime/metadata-alone': {
    title: 'A kind of which the cache holds the metadata alone',
    explain:
      '`cached(K, { metadataOnly: true })` says that no other fields of the kind are kept, while a controller declares the kind itself, whose type has all fields. Declare `metadataOnly(K)`, whose objects are of the type PartialObjectMetadata.',
  },
  'runtime/source-ended': {
    title: 'A source cannot be read again',
    explain:
      'The iterable that `from` was given has failed. An iterable can be read only once, so no more keys come from it until the operator is restarted. A function is called for a new iterable after each failure.',
  },
  'runtime/undeclared-index': {
    title: 'An index that no controller declares',
    explain:
      'An index costs memory and time at each change, so the cache keeps those only that a controller names in `indexes`. Looking up another one would have to read the whole store.',
  },
  'runtime/duplicate-index': {
    title: 'Two indexes of one name',
    explain:
      'Two different indexes of a kind have the same name. Declare an index once, with defineIndex, and import it wherever it is used.',
  },
  'runtime/invalid-selector': {
    title: 'A label selector cannot be understood',
    explain: 'It is written as for kubectl: `app=web,tier!=db,env in (prod, test),!legacy`.',
  },
  'runtime/drain-timeout': {
    title: 'The operator stopped before its work was done',
    explain:
      'Reconciles or runnables did not end within the time for a graceful shutdown, or a second signal skipped the wait. The next run resumes the work. Use requeueAfter for long waits; pass ctx.signal to whatever waits.',
  },
  'runtime/invalid-leader-election': {
    title: 'The options of leader election do not fit together',
    explain:
      'The id is the name of a Lease. The leader must give up (`renewDeadline`) before others may take over (`leaseDuration`), and must have time for more than one try (`retryPeriod`).',
  },
  'runtime/election-namespace': {
    title: 'The namespace of the Lease is unknown',
    explain:
      'In a pod the Lease is in the namespace of the pod. Elsewhere the namespace must be named, so that all replicas look for the same Lease.',
  },
  'runtime/election-refused': {
    title: 'The API server refuses the Lease',
    explain:
      'Without reading and writing its Lease a replica can never lead, so it ends instead of waiting in silence. The Role is config/rbac/leader_election_role.yaml: it names the Lease, so that an `id` that was changed in src/main.ts has to be changed in `resourceNames`, too. The namespace of the Lease must exist.',
  },
  'runtime/leadership-lost': {
    title: 'The operator no longer leads',
    explain:
      'Another replica holds the lease, or it was not renewed in time: the API server did not answer, or the event loop was blocked. All writes were stopped and running reconciles aborted; the process ends and, once restarted, is a candidate again. If this happens often, look for blocked event loops in the log, or raise `leaseDuration` and `renewDeadline` together.',
  },
  'runtime/not-leader': {
    title: 'A write of a process that does not lead',
    explain:
      'With leader election, controllers, Events and `manager.client` write only while this process holds the lease by its own clock. The write was not sent. A runnable with `needsLeaderElection: false` gets a client that writes at any time.',
  },
  'runtime/reconcile-timeout': {
    title: 'A reconcile took longer than its controller allows',
    explain:
      'After `reconcileTimeout` of the controller `ctx.signal` of the run is aborted, and with it the requests of its client. The run counts as failed and is retried with back-off. One that does not end then keeps its worker; the log names it each minute.',
  },
  'runtime/already-traced': {
    title: 'The operator is traced already, with other options',
    explain:
      'The spans of `traceOperator` go to one tracer provider, because it serves all managers of a process. A second call with the same options changes nothing. To change the options, call the function that the first call returned, which stops it.',
  },
  'runtime/no-trace-context': {
    title: 'OpenTelemetry does not keep the active span',
    explain:
      'A warning of `opsdk/tracing`, once in a process. The requests and spans within a reconcile find their parent by a context manager, which an SDK of OpenTelemetry registers: `provider.register()` of `NodeTracerProvider`, or `start()` of `NodeSDK`. A provider that is only passed to `traceOperator` has none.',
  },
  'runtime/tracing-failed': {
    title: 'A part of OpenTelemetry failed',
    explain:
      'A warning of `opsdk/tracing`, once in a process: a span processor, sampler, propagator or context manager threw the error that the message quotes. The operator works on, but spans are missing. Errors of exporters are reported by OpenTelemetry itself, to the logger that `diag.setLogger` sets.',
  },
  'runtime/owner-incomplete': {
    title: 'An owner lacks a field that a reference needs',
    explain:
      'A reference holds apiVersion, kind, name and uid; the uid is given by the API server when it stores the object.',
  },
  'runtime/owner-scope': {
    title: 'An owner is in another namespace than its dependent',
    explain:
      'Owners must be in the namespace of their dependents or in none. The API server accepts other references, but the garbage collector then deletes the dependent.',
  },
  'runtime/second-controller': {
    title: 'An object would have two controllers',
    explain:
      'At most one owner reference has `controller: true`; two controllers would undo each other’s changes.',
  },
  'runtime/invalid-condition': {
    title: 'A condition is not what the API conventions allow',
    explain:
      'Types and reasons are CamelCase, and a controller sets only the types that it named in `conditionsOf`. The CRD’s schema refuses other texts.',
  },
  'runtime/conditions-not-a-map': {
    title: 'The conditions of a kind are not a map by type',
    explain:
      "Server-side apply merges a list item by item only if the CRD says that it is a map: `ListMap<Condition, 'type'>`, or `x-kubernetes-list-type: map` with `x-kubernetes-list-map-keys: [type]`. It replaces any other list as a whole, which would delete the conditions of other controllers. The runtime asks the API server once for each kind, by a dry run.",
  },
  'runtime/no-operator-condition': {
    title: 'OLM has given the operator no OperatorCondition',
    explain:
      'OLM v0 creates an OperatorCondition for each operator that it runs, and names it in the environment variable OPERATOR_CONDITION_NAME; it is in the namespace of the Pod. An operator that runs without OLM has none: ask `available` before `set` and `get`.',
  },
  'runtime/invalid-webhook': {
    title: 'A webhook declaration is invalid',
    explain:
      '`defineWebhook` needs `default` or at least one function of `validate`. The API server waits 1 to 30 seconds (`timeoutSeconds`), knows the values of `failurePolicy`, `sideEffects`, `matchPolicy` and `reinvocationPolicy` that the types list, and asks at a path that begins with `/`. `/convert` is for conversions.',
  },
  'runtime/duplicate-webhook': {
    title: 'Two webhooks are served at the same path',
    explain:
      'Only one of them would be asked. The usual cause is a webhook that is added to the manager twice, or two webhooks of one version of a kind: put all functions into one `defineWebhook`, or give one of them a path of its own. All versions of a kind are converted by one `defineConversion`.',
  },
  'runtime/webhook-certificate-missing': {
    title: 'The certificate to serve webhooks with is missing',
    explain:
      'The API server asks webhooks over HTTPS. The certificate is read from the folder of `--webhook-cert-path`, or else from `k8s-webhook-server/serving-certs` in the folder for temporary files, where OLM mounts it. On your own machine `op-sdk run` makes one; with `ENABLE_WEBHOOKS=false` webhooks are not served.',
  },
  'runtime/conversion-key-missing': {
    title: 'The key that signs conversion data is missing',
    explain:
      'What a version of a kind cannot hold is kept in an annotation, which users may write: it is signed, so that only what a conversion has written is put back. The key is in a Secret of the namespace of the operator, `NAME-conversion-key` unless `CONVERSION_SECRET_NAME` or `webhooks.conversionKey` names another. The operator makes it, and needs the right to: `op-sdk generate manifests` writes the Role `conversion-key-role` and its binding into config/rbac/role.yaml. Without the key the Pod is not ready, and a conversion that has to keep something, or finds something kept, fails, because the data would be lost. All other conversions go on.',
  },
  'runtime/manifest-unreadable': {
    title: 'An operand manifest cannot be read',
    explain:
      'The file does not exist in the project, is not YAML, or holds several documents. In an image the file itself is not needed: `op-sdk build` puts its content into the bundle where loadManifest is called with a literal path.',
  },
  'runtime/manifest-kind': {
    title: 'An operand manifest is of another kind',
    explain: 'apiVersion and kind of the file must match the type that is passed to loadManifest.',
  },
  'runtime/invalid-conversion': {
    title: 'A conversion between versions is declared wrongly',
    explain:
      'A conversion has one hub, the version that is stored, and each other version of the same group and kind once as a spoke, with `to` and `from`. `lossy` holds paths of fields of the hub, such as `.spec.debug` or `.spec.ports[*].comment`.',
  },
} satisfies ExplainedCodes;
