// A file of more than 400 lines has more than one purpose. Generated folders are exempt.
import { expect, test } from 'vitest';
import { filesBelow } from '../../helpers/source-files.ts';

const limit = 400;

/** Test files that are longer still. This list only shrinks. */
const stillLong: readonly string[] = [
  'test/control-plane/cluster/apply-objects.test.ts',
  'test/control-plane/runtime/manager.test.ts',
  'test/control-plane/cluster/remove-objects.test.ts',
  'test/e2e/nginx-operator.test.ts',
  'test/peers/kustomize/cases/refusals.ts',
  'test/unit/bundle/generate-bundle.test.ts',
  'test/unit/bundle/what-would-be-lost.test.ts',
  'test/unit/cluster/doctor.test.ts',
  'test/unit/kube/connection.test.ts',
  'test/unit/kube/reflector.test.ts',
  'test/unit/kube/transport.test.ts',
  'test/unit/kustomize/refusals.test.ts',
  'test/unit/oci/registry/faults.test.ts',
];

test.each(['src', 'bin', 'scripts', 'bench', 'examples', 'test'])(
  'no file of %s has more than 400 lines',
  (folder) => {
    const files = filesBelow(folder, (path) => /\.(?:ts|mjs|cjs|js)$/.test(path));
    expect(files.length).toBeGreaterThan(0);
    const lengths = files.map(({ path, text }) => [path, text.split('\n').length - 1] as const);
    const tooLong = lengths.filter(([path, lines]) => lines > limit && !stillLong.includes(path));
    expect(Object.fromEntries(tooLong)).toEqual({});
  },
);
