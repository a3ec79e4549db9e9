const { existsSync } = require('node:fs');
const { join } = require('node:path');

// The wings of docs/architecture.md, checked: who may import whom. An import is a wing or one of its rooms. Rooms stand in the order of
// their arrows: a room may import those of its wing that come before it.
const wings = {
  base: { rooms: ['errors', 'util', 'process', 'pages'], imports: [] },
  sdk: {
    rooms: ['api', 'net', 'x509', 'k8s', 'kube', 'runtime', 'tracing'],
    imports: ['base/errors', 'base/util'],
  },
  kubernetes: { rooms: ['objects', 'yaml', 'tables', 'crd', 'kustomize'], imports: ['base'] },
  images: { imports: ['base', 'sdk/net'] },
  testing: { imports: ['base', 'sdk', 'kubernetes'] },
  project: {
    rooms: ['project', 'scaffold', 'monitoring', 'chart', 'upgrade'],
    imports: ['base', 'kubernetes'],
  },
  compiler: {
    rooms: ['source', 'schema', 'manifests', 'import', 'build'],
    imports: ['base', 'sdk/api', 'kubernetes', 'project'],
  },
  cluster: { imports: ['base', 'sdk', 'kubernetes', 'project', 'compiler', 'testing'] },
  olm: {
    rooms: ['bundle', 'catalog', 'run', 'scorecard', 'install'],
    imports: ['base', 'sdk', 'kubernetes', 'images', 'project', 'compiler', 'cluster'],
  },
};

const wingRules = Object.entries(wings).map(([wing, { imports }]) => ({
  name: `wing-${wing}`,
  severity: 'error',
  comment: `src/${wing} may import only ${imports.join(', ') || 'itself'}`,
  from: { path: `^src/${wing}/` },
  to: { path: '^src/', pathNot: [wing, ...imports].map((name) => `^src/${name}/`) },
}));

const roomRules = Object.entries(wings).flatMap(([wing, { rooms = [] }]) =>
  rooms.map((room, position) => ({
    name: `room-${wing}-${room}`,
    severity: 'error',
    comment: `src/${wing}/${room} may import only the rooms before it: ${rooms.slice(0, position).join(', ')}`,
    from: { path: `^src/${wing}/${room}/` },
    to: {
      path: `^src/${wing}/`,
      pathNot: rooms.slice(0, position + 1).map((name) => `^src/${wing}/${name}/`),
    },
  })),
);

const folders = Object.entries(wings).flatMap(([wing, { rooms }]) =>
  rooms === undefined ? [wing] : rooms.map((room) => `${wing}/${room}`),
);

/** Others import a room that has an index through it. Generated modules are files of their own. */
const faceRules = folders
  .filter((folder) => existsSync(join(__dirname, 'src', folder, 'index.ts')))
  .map((folder) => ({
    name: `face-${folder.replace('/', '-')}`,
    severity: 'error',
    comment: `import it from src/${folder}/index.ts`,
    from: { path: '^src/', pathNot: [`^src/${folder}/`, '/generated/'] },
    to: { path: `^src/${folder}/`, pathNot: [`^src/${folder}/index\\.ts$`, '/generated/'] },
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
    ...wingRules,
    ...roomRules,
    ...faceRules,
    {
      name: 'nobody-imports-cli',
      severity: 'error',
      comment: 'nor the explanations of codes in it: operators do not explain',
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
      name: 'testing-entry',
      severity: 'error',
      from: { path: '^src/testing.ts$' },
      to: { path: '^src/', pathNot: '^src/testing/' },
    },
    {
      name: 'tracing-entry',
      severity: 'error',
      from: { path: '^src/tracing.ts$' },
      to: { path: '^src/', pathNot: '^src/sdk/tracing/' },
    },
    only('opentelemetry', ['@opentelemetry/[^/]+'], ['^src/sdk/tracing/']),
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
      // Inference and the lint of reasons ask the checker of a program that `source` has loaded, by its types alone.
      ['^src/compiler/(schema|source)/', '^src/compiler/manifests/(rbac/infer|reasons)/'],
    ),
    // Operators do not evaluate rules, and a test loads the evaluator only if a CRD has rules.
    only('cel', ['@marcbachmann/cel-js'], ['^src/kubernetes/crd/evaluate/machine.ts$']),
    {
      name: 'cel-is-loaded-lazily',
      severity: 'error',
      from: { path: '^src/kubernetes/crd/evaluate/index.ts$' },
      to: {
        path: '^src/kubernetes/crd/evaluate/',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
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
      name: 'commands-are-loaded-lazily',
      severity: 'error',
      comment: 'only the table knows commands; what two of them share is in a folder of actions/, by purpose',
      from: { path: '^src/cli/' },
      to: { path: '^src/cli/commands/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
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
