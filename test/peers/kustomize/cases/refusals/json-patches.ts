import type { RefusalCase } from '../case.ts';
import { both, only, web, steps } from './make-case.ts';

export const jsonPatchRefusals: readonly RefusalCase[] = [
  both(
    'a JSON patch without a target',
    "patches:\n- patch: '- {op: remove, path: /spec}'\n",
    'kustomize/invalid-patch',
  ),
  both(
    'a step for a path that is not there',
    steps('{op: replace, path: /spec/none/x, value: 1}'),
    'kustomize/patch-failed',
  ),
  both('a removal of what is not there', steps('{op: remove, path: /spec/none}'), 'kustomize/patch-failed'),
  both(
    'an index after the end',
    steps('{op: add, path: /spec/template/spec/containers/9, value: {}}'),
    'kustomize/patch-failed',
  ),
  both('a test that fails', steps('{op: test, path: /spec/replicas, value: 7}'), 'kustomize/patch-failed'),
  both(
    'a name where an index belongs',
    steps('{op: remove, path: /spec/template/spec/containers/manager}'),
    'kustomize/patch-failed',
  ),
  both('an unknown op', steps('{op: merge, path: /spec, value: {}}'), 'kustomize/invalid-patch'),
  both('a step without a path', steps('{op: remove}'), 'kustomize/invalid-patch'),
  both(
    'steps in YAML that begin with [',
    "patches:\n- target: {kind: Deployment}\n  patch: '[{op: remove, path: /spec/replicas}]'\n",
    'kustomize/invalid-patch',
  ),
  both(
    'patchesJson6902 with a merge patch',
    `patchesJson6902:\n- target: {kind: Deployment, name: web}\n  patch: '{${web}}'\n`,
    'kustomize/invalid-patch',
  ),
  only(
    'a path without a slash in front',
    'takes the first part away',
    steps('{op: remove, path: x/spec}'),
    'kustomize/invalid-patch',
  ),
  only('add without a value', 'sets null', steps('{op: add, path: /spec/x}'), 'kustomize/invalid-patch'),
  only(
    'a copy of what is not there',
    'sets null',
    steps('{op: copy, from: /spec/none, path: /spec/x}'),
    'kustomize/patch-failed',
  ),
];
