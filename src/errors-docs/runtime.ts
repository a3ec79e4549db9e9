import type { RuntimeCode } from '../errors/index.ts';
import type { Explanation } from './explanation.ts';

export const runtimeExplanations = {
  'runtime/unsupported-node': {
    title: 'The operator was started on a Node that is too old',
    explain:
      'A bundled operator runs on Node 20.19 and newer. Base the image on a newer Node: `op-sdk image build` and the scaffolded Dockerfile do.',
  },
  'runtime/unknown-flag': {
    title: 'The operator does not know this flag',
    explain:
      'The flag is misspelt, or it is one that this version of opsdk does not have. `--help` lists the flags.',
  },
  'runtime/invalid-flag-value': {
    title: 'A flag of the operator has an invalid value',
    explain: 'A value is missing, is given to a flag that takes none, or is not among the possible values.',
  },
  'runtime/flag-not-built': {
    title: 'A flag of the operator is not supported yet',
    explain:
      'The flag is part of every operator’s command line, but this version of opsdk does not support it. It is refused because an operator that ignores it would not do what its Deployment says.',
  },
  'runtime/invalid-address': {
    title: 'An address to listen on is invalid',
    explain: 'Addresses are written host:port or :port; `0` means no server.',
  },
  'runtime/cannot-listen': {
    title: 'A server of the operator cannot listen on its address',
    explain:
      'Another process has the port, or the process may not use it (ports below 1024 need a capability). The message names the server and the address.',
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
  'runtime/undeclared-kind': {
    title: 'The cache is asked for a kind that no controller declares',
    explain:
      'Every cached kind is a watch of the whole cluster (or of the chosen namespaces) and needs permissions and memory. It is never started by a read: declare the kind, or read it from the API server.',
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
  'runtime/reconcile-timeout': {
    title: 'A reconcile took longer than its controller allows',
    explain:
      'After `reconcileTimeout` of the controller `ctx.signal` of the run is aborted, and with it the requests of its client. The run counts as failed and is retried with back-off. One that does not end then keeps its worker; the log names it each minute.',
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
  'runtime/manifest-unreadable': {
    title: 'An operand manifest cannot be read',
    explain:
      'The file does not exist in the project, is not YAML, or holds several documents. In an image the file itself is not needed: `op-sdk build` puts its content into the bundle where loadManifest is called with a literal path.',
  },
  'runtime/manifest-kind': {
    title: 'An operand manifest is of another kind',
    explain: 'apiVersion and kind of the file must match the type that is passed to loadManifest.',
  },
} satisfies Readonly<Record<RuntimeCode, Explanation>>;
