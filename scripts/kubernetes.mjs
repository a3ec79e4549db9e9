// `npm run kubernetes -- 1.38.1`: moves op-sdk to the next release of Kubernetes. Builds its control plane, generates types, tables and field
// sets from it, changes the constant, and lists what a person has to look at. Run it in a clean working tree, and review the diff.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild, ensureDependencies } from './lib/provision.mjs';
import { must, root } from './lib/run.mjs';

const constant = join(root, 'src/base/util/kubernetes-releases.ts');

/** A patch release of each minor version whose types `import crd` recognises. */
const fieldSetReleases = '1.28.15 1.29.14 1.30.14 1.31.14 1.32.9 1.33.13 1.34.4 1.35.4 1.36.3 1.37.2'.split(
  ' ',
);

const [release = ''] = process.argv.slice(2);
const [, minor] = /^1\.(\d+)\.\d+$/.exec(release) ?? [];
if (minor === undefined) throw new Error('usage: npm run kubernetes -- 1.38.1');
if (execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) !== '')
  throw new Error(
    'the working tree has changes: commit them first, so that the diff shows what the release changes',
  );

await ensureDependencies();
await ensureBuild();
const before = readFileSync(constant, 'utf8');
writeFileSync(
  constant,
  before
    .replace(/release: '[^']*'/, `release: '${release}'`)
    .replace(/newest: '[^']*'/, `newest: '1.${minor}'`)
    .replace(/oldest: '[^']*'/, `oldest: '1.${Number(minor) - 4}'`),
);
await must('npm', ['run', 'build']);

// The control plane: a recipe that no longer builds or boots ends here.
const opSdk = join(root, 'bin/op-sdk.js');
await must(process.execPath, [opSdk, 'testenv', 'install']);
await must('npm', ['run', 'generate:k8s']);

const work = mkdtempSync(join(tmpdir(), 'op-sdk-kubernetes-'));
try {
  const wanted = fieldSetReleases.filter((known) => !known.startsWith(`1.${minor}.`)).concat(release);
  const folders = wanted.map((version) => {
    const args = ['mod', 'download', '-json', `k8s.io/kubernetes@v${version}`];
    const { Dir } = JSON.parse(execFileSync('go', args, { cwd: work, encoding: 'utf8' }));
    return join(Dir, 'api/openapi-spec/v3');
  });
  await must(process.execPath, ['scripts/generate-field-sets.mjs', ...folders]);
} finally {
  rmSync(work, { recursive: true, force: true });
}
await must(
  'npx',
  ['vitest', 'run', '--project', 'unit', 'test/unit/compiler/manifests/built-in-resources.test.ts'],
  {
    env: { ...process.env, UPDATE_GOLDEN: '1' },
  },
);
await must('npm', ['run', 'build']);
await must('npm', ['run', 'docs:errors']);

console.log(execFileSync('git', ['diff', '--stat'], { cwd: root, encoding: 'utf8' }));
console.log(`Kubernetes ${release} is generated. Now:

1. Read the diff of src/sdk/k8s/generated: fields that became required or optional change the code of operators.
2. Compare with the former release, in Go's module cache:
   - k8s.io/apiserver pkg/cel/environment/base.go and pkg/cel/library: functions of rules (src/kubernetes/crd/cel/cel-words.ts)
   - k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation: rules for CRDs (src/kubernetes/crd/rules)
   - k8s.io/kubernetes CHANGELOG: APIs that were removed (src/olm/bundle/validate/removed-apis.ts), flags (src/testing/control-plane/flags.ts)
3. UPDATE_GOLDEN=1 npm run test:golden, and read the changed goldens.
4. Add the SHA-512 of the server archives, which CHANGELOG/CHANGELOG-1.${minor}.md of k8s.io/kubernetes lists, to src/testing/assets/release-archive.ts.
   Add the release to fieldSetReleases of this script and, with the Go version that builds it, to src/testing/assets/obtain-binaries.ts; move the
   releases of scripts/test-kubernetes.mjs on.
5. npm test, npm run test:slow, npm run test:kubernetes, npm run test:cluster. The kubelet of 1.38 needs containerd 2, which
   Debian 12 lacks: build it from the Go module github.com/containerd/containerd/v2, as the kubelet is built.`);
