// The rooms of docs/architecture.md, checked: who may import whom. `errors` and `util` are open to everyone.
const rooms = {
  api: [],
  k8s: ['api'],
  errors: [],
  'errors-docs': [],
  util: ['errors'],
  net: [],
  x509: [],
  kube: ['api', 'net'],
  runtime: ['kube', 'k8s', 'api', 'net', 'x509'],
  yaml: [],
  process: [],
  pages: [],
  tables: [],
  source: [],
  crd: ['yaml', 'tables'],
  schema: ['api', 'source', 'crd', 'tables'],
  project: ['yaml', 'crd'],
  scaffold: ['project', 'yaml'],
  manifests: ['api', 'schema', 'source', 'crd', 'project'],
  import: ['schema', 'crd', 'project', 'scaffold', 'tables'],
  kustomize: ['yaml', 'tables'],
  build: ['schema', 'source', 'crd', 'project', 'tables'],
  images: ['net'],
  testing: ['runtime', 'kube', 'k8s', 'api', 'crd', 'tables', 'process', 'net', 'x509'],
  bundle: ['manifests', 'kustomize', 'schema', 'crd', 'images', 'project', 'scaffold', 'pages'],
  catalog: ['bundle', 'crd', 'images', 'scaffold'],
  cluster: ['manifests', 'kustomize', 'kube', 'net', 'k8s', 'api', 'testing', 'process', 'project', 'pages'],
  run: ['bundle', 'catalog', 'crd', 'images', 'cluster', 'kube', 'net', 'k8s', 'api', 'project', 'scaffold'],
  install: ['run', 'catalog', 'bundle', 'crd', 'cluster', 'kube', 'net', 'k8s', 'api', 'project'],
  scorecard: ['bundle', 'images', 'net', 'cluster', 'kube', 'k8s', 'api'],
};

/** Rooms that end up in operators, and those that they consist of; the others may use `yaml`. */
const shipped = ['api', 'k8s', 'errors', 'util', 'net', 'x509', 'kube', 'runtime', 'process'];
for (const [room, allowed] of Object.entries(rooms)) if (!shipped.includes(room)) allowed.push('yaml');

/** Rooms by the folder of their wing. */
const wings = {
  base: ['errors', 'util', 'process', 'pages'],
  sdk: ['api', 'k8s', 'kube', 'runtime', 'net', 'x509'],
  kubernetes: ['yaml', 'tables', 'crd', 'kustomize'],
  compiler: ['source', 'schema', 'manifests', 'import', 'build'],
  project: ['project', 'scaffold'],
  olm: ['bundle', 'catalog', 'install', 'run', 'scorecard'],
};
const homeOf = (room) => {
  const wing = Object.keys(wings).find((name) => wings[name].includes(room));
  return wing === undefined ? room : `${wing}/${room}`;
};

const roomRules = Object.entries(rooms).map(([room, allowed]) => ({
  name: `room-${room}`,
  severity: 'error',
  comment: `src/${room} may import only ${['errors', 'util', ...allowed].join(', ')}`,
  from: { path: `^src/${homeOf(room)}/` },
  to: {
    path: '^src/',
    pathNot: [room, ...allowed, ...(room === 'util' ? [] : ['util', 'errors'])].map(
      (name) => `^src/${homeOf(name)}/`,
    ),
  },
}));

/** A package that only one place may import. */
const only = (name, packages, owners) => ({
  name: `only-${name}`,
  severity: 'error',
  from: { path: '^src/', pathNot: owners },
  to: { path: packages.map((p) => `node_modules/${p}/`) },
});

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...roomRules,
    {
      name: 'errors-know-nobody',
      severity: 'error',
      from: { path: '^src/base/errors/' },
      to: { path: '^src/(?!base/errors/)' },
    },
    {
      name: 'operators-do-not-explain',
      severity: 'error',
      comment: 'what codes mean, in sentences, is for the command line and docs/errors.md',
      from: { path: '^src/(?!cli/|errors-docs/)' },
      to: { path: '^src/errors-docs/' },
    },
    {
      name: 'nobody-imports-cli',
      severity: 'error',
      from: { path: '^src/(?!cli/)' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'public-entry',
      severity: 'error',
      from: { path: '^src/index.ts$' },
      to: { path: '^src/', pathNot: '^src/(sdk/api|sdk/runtime|sdk/kube|base/errors)/' },
    },
    {
      name: 'operators-stay-light',
      severity: 'error',
      comment: 'what ships inside operators must not reach build-time tools',
      from: { path: '^src/sdk/' },
      to: {
        path: 'node_modules/(commander|handlebars|execa|ts-json-schema-generator|typescript|yaml|esbuild)/',
      },
    },
    only('client-node', ['@kubernetes/client-node'], ['^src/sdk/kube/']),
    only(
      'typescript',
      ['typescript', 'ts-json-schema-generator'],
      // Inference asks the checker of a program that `source` has loaded, by its types alone.
      ['^src/compiler/(schema|source)/', '^src/compiler/manifests/rbac/infer/'],
    ),
    only('execa', ['execa'], ['^src/base/util/exec.ts']),
    only('handlebars', ['handlebars'], ['^src/project/scaffold/engine.ts']),
    only('yaml', ['yaml'], ['^src/kubernetes/yaml/']),
    // Operators read kubeconfigs, and manifests in tests, and do not hold the room `yaml`.
    only(
      'js-yaml',
      ['js-yaml', '@types/js-yaml'],
      ['^src/kubernetes/yaml/', '^src/sdk/kube/cluster/', '^src/sdk/runtime/load-manifest.ts'],
    ),
    only('commander', ['commander'], ['^src/cli/']),
    // The module of a schema is bundled to show that it imports nothing else.
    only('esbuild', ['esbuild'], ['^src/compiler/build/', '^src/compiler/schema/library/bundle-program.js']),
    only('prompts', ['@clack/prompts'], ['^src/cli/']),
    only('markdown', ['marked', 'xss'], ['^src/base/pages/safe-markdown.ts']),
    only('completion', ['@bomb.sh/tab'], ['^src/cli/completion/']),
    {
      name: 'completion-is-cheap',
      severity: 'error',
      comment: 'a shell waits for it on every TAB: names of commands, flags of one, nothing else',
      from: { path: '^src/cli/completion/' },
      to: {
        path: '^src/',
        pathNot: ['^src/cli/(?:completion|flags)/', '^src/cli/(?:program|command-table|command)\\.ts$'],
      },
    },
    {
      name: 'version-is-cheap',
      severity: 'error',
      comment: 'op-sdk version loads neither commander nor main',
      from: { path: '^src/cli/(?:start|version|package-info)\\.ts$' },
      to: {
        pathNot: ['^src/cli/(?:version|package-info)\\.ts$', '^(?:node:)?(?:fs|url)$'],
        dependencyTypesNot: ['dynamic-import'],
      },
    },
    {
      name: 'commands-are-leaves',
      severity: 'error',
      comment: 'a command declares flags and help, and knows where its action is: --help loads nothing else',
      from: { path: '^src/cli/commands/' },
      to: {
        path: '^src/',
        pathNot: ['^src/cli/flags/', '^src/cli/command\\.ts$', '^src/cli/actions/[^/]+\\.ts$'],
      },
    },
    {
      name: 'commands-load-actions-lazily',
      severity: 'error',
      from: { path: '^src/cli/commands/' },
      to: { path: '^src/cli/actions/', dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'actions-are-leaves',
      severity: 'error',
      comment: 'what two actions share is in a folder of actions/, by purpose',
      from: { path: '^src/cli/actions/' },
      to: { path: '^src/cli/(?:actions/[^/]+\\.ts$|commands/)' },
    },
    {
      name: 'flags-load-nothing',
      severity: 'error',
      comment: '--help and version load nothing but commander',
      from: { path: '^src/cli/flags/' },
      to: { path: '^src/', pathNot: ['^src/cli/flags/'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};
