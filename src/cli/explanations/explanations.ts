import type {
  ErrorCode,
  NetCode,
  ImportV1beta1Code,
  TestapiCode,
  ImportCode,
  CliCode,
  DiffCode,
  ScaffoldCode,
} from '../../base/errors/index.ts';
import type { Explanation } from './explanation.ts';
import { projectExplanations, buildExplanations } from './project.ts';
import { bundleValidateExplanations } from './bundle-validate.ts';
import { bundleExplanations } from './bundle.ts';
import { catalogExplanations } from './catalog.ts';
import { clusterExplanations } from './cluster.ts';
import { crdExplanations, kustomizeExplanations, ioExplanations } from './crd.ts';
import { kubeExplanations, testenvExplanations, testingExplanations } from './kube.ts';
import { manifestsExplanations } from './manifests.ts';
import { ociExplanations } from './oci.ts';
import { olmExplanations, olmChoiceExplanations, olmRunExplanations } from './olm.ts';
import { runtimeExplanations } from './runtime.ts';
import { schemaExplanations } from './schema.ts';

const scaffoldExplanations = {
  'scaffold/file-exists': {
    title: 'A file to be created exists already',
    explain:
      'Scaffolding never overwrites a file that it did not create in the same run. Move the file away, or overwrite it with --force, which shows what changes.',
  },
  'scaffold/file-changed': {
    title: 'A file changed while the command ran',
    explain:
      'The command read the file, planned a change, and found it different when it was about to write. Nothing was written. Run the command again.',
  },
  'scaffold/file-edited': {
    title: 'A file to be deleted was edited',
    explain:
      'The file is not as op-sdk scaffolded it, so deleting it would lose work. Keep what you need of it, and run the command again with --force.',
  },
  'scaffold/outside-project': {
    title: 'A path leads out of the project',
    explain:
      'A symbolic link on the way to the file leads out of the project folder. op-sdk writes inside the project only.',
  },
  'scaffold/marker-missing': {
    title: 'A scaffold marker is missing',
    explain:
      'op-sdk adds code to existing files above comments such as `// +op-sdk:scaffold:imports`. Put the marker back, or add the lines of the message by hand.',
  },
  'scaffold/unknown-template': {
    title: 'A template override has no counterpart',
    explain:
      'A file under .op-sdk/templates replaces the template of the same path. No template has this path, so the file would never be used.',
  },
  'scaffold/bad-template': {
    title: 'A template cannot be rendered',
    explain:
      'A template override is not valid Handlebars, names a variable that does not exist, or writes a value without the helper that escapes it there.',
  },
  'scaffold/rollback-failed': {
    title: 'A failed command could not be undone completely',
    explain:
      'Writing failed midway and so did putting a file back. The message names the files; the copies beside them hold the former content.',
  },
  'scaffold/interrupted-write': {
    title: 'A command was interrupted while it wrote',
    explain:
      'A command was killed between two files. Every file is complete, old or new, and the next command that writes finishes or undoes the rest. A file that was edited since is kept: the message names it, and the copy beside it with what was to be written. `--check`, `--dry-run` and `--stdout` change nothing and say that there is something to finish.',
  },
  'scaffold/project-locked': {
    title: 'Another process holds the lock of the project',
    explain:
      'Commands that write into a project wait for each other. The lock of a process that has ended is broken at once, but this one belongs to another machine or container that shares the folder, and has not renewed it for a minute. If nothing runs there, delete the file that the message names.',
  },
  'scaffold/install-failed': {
    title: 'Installing the dependencies failed',
    explain:
      'The files of the project are written and complete; only the package manager failed. Fix the cause and run its install command.',
  },
  'scaffold/pack-failed': {
    title: 'op-sdk could not pack itself',
    explain:
      'A copy of op-sdk that does not come from a registry packs itself into the new project with `npm pack`. Give the dependency explicitly with --opsdk, or install npm.',
  },
} satisfies Readonly<Record<ScaffoldCode, Explanation>>;

const diffExplanations = {
  'diff/nothing-to-compare': {
    title: 'Nothing to compare was found',
    explain:
      '`op-sdk crd diff` got a file, a folder, a commit, standard input or a project without a CustomResourceDefinition, or `op-sdk rbac diff` one without a role. Reporting "no changes" would be wrong: usually the path is wrong, or the command before the pipe has failed.',
  },
  'diff/duplicate': {
    title: 'A definition or a role appears twice',
    explain: 'It is unclear which of the two is meant. The usual cause is a folder with several releases.',
  },
  'diff/stdin-twice': {
    title: 'Standard input cannot be both sides of a comparison',
    explain: '`-` may stand for the old or for the new side, not for both.',
  },
  'diff/invalid-object': {
    title: 'A role or a binding that is compared is invalid',
    explain:
      'A field has another type than `rbac.authorization.k8s.io/v1` says, or a required one is missing. What it permits cannot be determined, and the API server would refuse it.',
  },
  'diff/git-failed': {
    title: 'git could not show what is compared',
    explain:
      '`git:REF` and `git:REF:PATH` are read with `git`, from the objects of the repository; REF and PATH are never taken for options. Usual causes: the folder is not in a repository, the commit or the path does not exist, or the clone is shallow, as CI makes them: fetch the branch first, such as by `fetch-depth: 0` of actions/checkout. Symbolic links, submodules and pointers of Git LFS are refused: what they stand for would be missing, and its changes with it.',
  },
  'diff/invalid-settings': {
    title: 'What package.json tells `op-sdk crd diff` is invalid',
    explain:
      'The key `opsdk.crdDiff` of package.json may have `severity`, an object from codes of changes to `breaking` or `compatible`, and `waivers`, the name of a file. A code that does not exist is an error: a severity that is never used would be a verdict that nobody gets. docs/crd/diff.md lists the codes.',
  },
  'diff/invalid-waiver': {
    title: 'A waiver is invalid',
    explain:
      'A waiver needs `code`, `crd` and `path` of the change as `op-sdk crd diff` prints them, a `reason`, and the last day on which it holds (`until`); `version` and `message` may be left out. A waiver without a reason is one that nobody can review.',
  },
  'diff/waiver-ambiguous': {
    title: 'A waiver is about several changes',
    explain:
      'A warning. Several changes have its code, definition and path, such as two CEL rules that are new in one object, and all of them are waived, also those that nobody has looked at. Name the one that is accepted by its `message`, as `op-sdk crd diff -o json` prints it.',
  },
  'diff/waiver-expired': {
    title: 'A waiver has expired',
    explain:
      'A warning. The day in `until` has passed, in UTC, and the change counts again. Remove the waiver once the change is released, or decide again and set another date.',
  },
  'diff/waiver-unused': {
    title: 'A waiver is about no change',
    explain:
      'A warning. None of the changes has its code, definition, version and path: the change was taken back, or is part of both sides by now, or the waiver has a mistake and the change that it was meant for counts.',
  },
} satisfies Readonly<Record<DiffCode, Explanation>>;

const cliExplanations = {
  'cli/unsupported-node': {
    title: 'This Node is too old',
    explain:
      'op-sdk runs on Node 20.19 and newer; the message has the version and the path of the Node that was started. `node --version` says which one is first on the PATH.',
  },
  'cli/interrupted': {
    title: 'The command was interrupted',
    explain:
      'SIGINT, SIGTERM, SIGHUP (the terminal was closed), or Ctrl-C at a question ended the command. Files are written whole or not at all, so nothing is half-written.',
  },
  'cli/defect': {
    title: 'op-sdk itself failed',
    explain:
      'This is a bug in op-sdk, not your mistake: please report it with what the command printed on stderr.',
  },
  'cli/unknown-command': {
    title: 'An unknown command',
    explain: 'op-sdk does not have this command. `op-sdk --help` lists the commands.',
  },
  'cli/unknown-flag': {
    title: 'An unknown flag',
    explain: 'The command does not have this flag. `op-sdk <command> --help` lists its flags.',
  },
  'cli/missing-value': {
    title: 'A flag or argument is missing',
    explain:
      'A value that the command needs was not given. On a terminal op-sdk asks for it; in a script, in CI and with `-o json` it must be given as a flag.',
  },
  'cli/invalid-value': {
    title: 'A flag or argument has a value that is not allowed',
    explain: 'The message names the flag, the value, and what is allowed.',
  },
  'cli/unexpected-argument': {
    title: 'There are too many arguments',
    explain: 'The command takes fewer arguments. Flags need a leading `--`; values with blanks need quotes.',
  },
} satisfies Readonly<Record<CliCode, Explanation>>;

const importExplanations = {
  'import/no-crd': {
    title: 'No CustomResourceDefinition was found',
    explain:
      'None of the named files, folders or URLs holds an object of kind CustomResourceDefinition. Templates that do not become YAML until they are rendered, such as those of Helm charts, cannot be read: pipe the rendered manifest into `op-sdk import crd -`.',
  },
  'import/different-crds': {
    title: 'Two different CustomResourceDefinitions have one name or define one kind',
    explain:
      'Plural and group are the same, or kind and group, and the rest is not. Both would be written into the same files, and no cluster could serve both. Two equal ones are imported once.',
  },
  'import/not-faithful': {
    title: 'The imported types do not generate the same CustomResourceDefinition',
    explain:
      'Before anything is written, the CRD is generated from the new types and compared with the original. They differ where the message says, so nothing was written for this CRD. `--allow-loss` writes the types anyway; `--client-only` writes types that no CRD is generated from.',
  },
  'import/skipped-file': {
    title: 'A file of the folder was ignored',
    explain:
      'The file mentions CustomResourceDefinitions but cannot be read as YAML or JSON, for example because it is a template that is not rendered yet. If it contains a CustomResourceDefinition that you need, name the file itself to see what is wrong with it.',
  },
  'import/source': {
    title: 'The sources to import from are missing or invalid',
    explain:
      '`op-sdk import crd` takes files, folders, https URLs and `-` for standard input, or `--from-cluster` with the names of CustomResourceDefinitions that are installed; not both.',
  },
  'import/download': {
    title: 'A URL cannot be read',
    explain:
      'The server did not answer with a file of at most 64 MB in time. HTTPS_PROXY and NO_PROXY are respected; redirections are followed to https only.',
  },
} satisfies Readonly<Record<ImportCode, Explanation>>;

const testapiExplanations = {
  'testapi/unsupported': {
    title: 'The test API does not do this as the real API server would',
    explain:
      'An answer that differs from that of the real API server would make a test pass that should fail, so `createTestApi` refuses instead. docs/testing.md lists what it does. Test this against a real API server, with `startControlPlane` of `opsdk/testing`. `settle` and `advance` report it too, if the code under test swallows the error.',
  },
  'testapi/unknown-kind': {
    title: 'A kind of the test API has no schema',
    explain:
      "`createTestApi` takes the schemas of custom resources from `crds`, by default the project's own in config/crd/bases, and knows the built-in kinds that docs/testing.md lists. Generate the CRD (`op-sdk generate manifests`), or name its file in `crds`.",
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
} satisfies Record<TestapiCode, Explanation>;

const importV1beta1Explanations = {
  'import/v1beta1': {
    title: 'A v1beta1 CustomResourceDefinition that cannot be converted',
    explain:
      'apiextensions.k8s.io/v1beta1 is no longer served (since Kubernetes 1.22); its definitions are converted to v1 as the API server did. What the v1beta1 API would have refused, such as a schema for all versions together with schemas of single versions, cannot be converted.',
  },
  'import/v1beta1-lost': {
    title: 'A part of a v1beta1 CustomResourceDefinition has no exact counterpart in v1',
    explain:
      'The message says what it meant in v1beta1 and what replaces it in v1. Most frequent is `preserveUnknownFields`, which is true by default in v1beta1 and keeps unknown fields at every depth: v1 says this with `x-kubernetes-preserve-unknown-fields` at each place of the schema.',
  },
} satisfies Readonly<Record<ImportV1beta1Code, Explanation>>;

const netExplanations = {
  'net/invalid-proxy': {
    title: 'A proxy of the environment cannot be used',
    explain:
      'HTTPS_PROXY or HTTP_PROXY (also in lower case) is not the http:// URL of a proxy. Proxies are used by CONNECT; SOCKS and HTTPS proxies are not supported. NO_PROXY lists hosts that are reached directly: names with the names below them, .names and *.names for those below only, addresses, networks such as 10.0.0.0/8, each also with a port, or * for all.',
  },
} satisfies Record<NetCode, Explanation>;

/** The explanation of every code, by room. */
export const explanations: Readonly<Record<ErrorCode, Explanation>> = {
  ...buildExplanations,
  ...bundleValidateExplanations,
  ...bundleExplanations,
  ...catalogExplanations,
  ...cliExplanations,
  ...clusterExplanations,
  ...crdExplanations,
  ...diffExplanations,
  ...importV1beta1Explanations,
  ...importExplanations,
  ...ioExplanations,
  ...kubeExplanations,
  ...kustomizeExplanations,
  ...manifestsExplanations,
  ...netExplanations,
  ...ociExplanations,
  ...olmChoiceExplanations,
  ...olmRunExplanations,
  ...olmExplanations,
  ...projectExplanations,
  ...runtimeExplanations,
  ...scaffoldExplanations,
  ...schemaExplanations,
  ...testapiExplanations,
  ...testenvExplanations,
  ...testingExplanations,
};
