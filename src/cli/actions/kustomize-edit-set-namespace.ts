import { OpSdkError } from '../../base/errors/index.ts';
import { setField } from '../../kubernetes/kustomize/index.ts';
import { checkLabel } from '../../project/project/index.ts';
import type { Action } from '../command.ts';
import type { command } from '../commands/kustomize-edit-set-namespace.ts';
import { editKustomization } from './files/apply-plan.ts';
import { invalidFlag } from './input/flag-values.ts';

/** `op-sdk kustomize edit set namespace`. */
export const run: Action<typeof command> = async (context, parsed, [namespace = '']) => {
  const problem = checkLabel(namespace);
  if (problem !== undefined) {
    throw new OpSdkError(
      invalidFlag(
        '<namespace>',
        `'${namespace}' cannot be the name of a namespace: ${problem}`,
        'use lower-case letters, digits and dashes',
      ),
    );
  }
  return editKustomization(context, parsed, (text, file) => setField(text, file, 'namespace', namespace));
};
